import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chosenPoints, seedInTitle } from '../../test/support/long.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { createBoundPrograms } from '../accounts/plugins/bound-programs.ts';
import { FakeVault } from '../accounts/testing/fake-vault.ts';
import { Secret } from '../base/secret.ts';
import { createConfigStore } from '../config/store.ts';
import type { ConfiguredKind } from '../contract/config/config.ts';
import type { ImportedFiles } from '../domain/import/imported-before.ts';
import { loadedEntries } from '../domain/loaded-config.ts';
import { createImporter } from '../kubeconfig/import/importer.ts';
import { readSource } from '../kubeconfig/import/read-source.ts';
import { createConfigEntries } from '../operations/config-entries.ts';
import { takeWaiting, whatWaits } from '../operations/confirm.ts';
import { editConfig } from '../operations/edit-config.ts';
import { takeBack } from '../operations/import/take-back.ts';
import { keepSecret } from '../operations/keep-secret.ts';
import { removeAccount } from '../operations/remove-account.ts';
import { createPluginInspector } from '../platform/programs/inspect-plugin.ts';
import { silentLog } from '../ports/log.ts';
import type { VaultContent } from '../ports/vault.ts';
import { Bindings } from './bindings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanyard-pending-'));
});
afterEach(() => rm(folder, { recursive: true }));

const oidc = { issuer: 'https://id.example.com', clientId: 'kubernetes' };

const approvedText = `version: 1
accounts:
  corp:
    oidc:
      issuer: https://id.example.com
      clientId: kubernetes
      scopes: [openid, groups]
  bot: { staticToken: {} }
  eks:
    execPlugin:
      apiVersion: client.authentication.k8s.io/v1
      command: /bin/true
      interactiveMode: Never
clusters:
  prod:
    server: https://prod:6443
    account: corp
    approval: always
  other: { server: "https://other:6443", account: bot }
lock: { afterIdle: 15m }
`;

/** What comes from outside: the change of the text, and what is pending by it. */
const outside = {
  'a request without info': ['account: corp', 'account: corp\n    withoutInfo: allow', 'cluster prod'],
  'a printed credential': ['account: corp', 'account: corp\n    execCredential: allow', 'cluster prod'],
  'no approval any more': ['    approval: always\n', '', 'cluster prod'],
  'another server': ['https://prod:6443', 'https://evil:6443', 'cluster prod'],
  'another account': ['account: corp', 'account: bot', 'cluster prod'],
  'another issuer': ['https://id.example.com', 'https://evil.example.com', 'account corp'],
  'one more scope': ['[openid, groups]', '[openid, groups, admin]', 'account corp'],
  'another command': ['/bin/true', '/bin/echo', 'account eks'],
  'another kind': ['bot: { staticToken: {} }', 'bot: { staticToken: { file: /tmp/t } }', 'account bot'],
  'a new cluster': [
    'clusters:\n',
    'clusters:\n  evil: { server: "https://evil:6443", account: corp }\n',
    'cluster evil',
  ],
  'no lock any more': ['lock: { afterIdle: 15m }\n', '', 'setting lock'],
} as const;

async function world() {
  const file = join(folder, 'config.yaml');
  await writeFile(file, approvedText);
  const vault = new FakeVault();
  const config = await createConfigStore({ file, log: silentLog });
  const bindings = new Bindings({ config, vault });
  await bindings.approve({ changes: bindings.changes() });
  await bindings.keepForms();
  const recorder = { record: () => undefined };
  const clock = new ManualClock();
  const deps = { config, vault, bindings, recorder, clock };
  const imported: ImportedFiles = {};
  const importer = createImporter({
    ...deps,
    replace: async () => null,
    check: async () => null,
    imported: () => imported,
    onSecrets: () => undefined,
    helperPath: '/home/me/bin/lanyard',
    home: null,
  });
  const look = createPluginInspector();
  const programs = createBoundPrograms({
    vault,
    look,
    config: { current: () => bindings.activeConfig() },
    clock,
    isServed: (name) => bindings.isServed('account', name),
  });
  return { ...deps, importer, look, programs, entries: createConfigEntries('cluster', deps), file };
}
type World = Awaited<ReturnType<typeof world>>;

/** Everything that writes approvals, or stands near one. What is pending of it must not be approved by the way. */
const paths: Readonly<Record<string, (of: World) => Promise<unknown>>> = {
  'account add': (of) =>
    editConfig(
      { kind: 'set', what: 'account', name: 'new', value: { staticToken: {} } },
      { kind: 'confirming' },
      of,
    ),
  'cluster add': (of) =>
    editConfig(
      { kind: 'set', what: 'cluster', name: 'new', value: { server: 'https://new:6443', account: 'corp' } },
      { kind: 'confirming' },
      of,
    ),
  'a page’s edit of another entry': (of) =>
    of.entries.set('other', { server: 'https://third:6443', account: 'bot' }, false, { kind: 'asking' }),
  'cluster remove, and undo': async (of) => of.entries.putBack(await of.entries.remove(['prod'])),
  'cluster remove': (of) => of.entries.remove(['other']),
  'account remove': async (of) => {
    await of.entries.remove(['other']);
    await of.entries.remove(['prod']);
    await of.config.edit([{ kind: 'remove', what: 'cluster', name: 'evil' }]);
    await removeAccount('bot', { ...of, onRemoved: () => undefined });
  },
  'secret set': (of) =>
    keepSecret({ ...of, onChanged: () => undefined }, { account: 'bot', part: 'token' }, new Secret('t')),
  'confirm of another name': async (of) => {
    await of.entries.set('other', { server: 'https://third:6443', account: 'bot' }, false, {
      kind: 'asking',
    });
    await takeWaiting(of, await whatWaits(of, ['other']));
  },
  'an import of a new context': async (of) => {
    const source = join(folder, 'kubeconfig');
    await writeFile(
      source,
      `clusters: [{name: c, cluster: {server: "https://imported:6443"}}]
contexts: [{name: imported, context: {cluster: c, user: u}}]
users: [{name: u, user: {token: some-token}}]
`,
    );
    const from = await readSource([source], { homeDirectory: folder, searchPath: '/usr/bin' });
    const selection = { contexts: null, inPlace: false, apiVersion: 'v1' } as const;
    const how = { confirms: true, signal: new AbortController().signal, say: () => undefined };
    await of.importer.apply(await of.importer.prepare(from, selection), how);
  },
  'an import taken back': (of) => takeBack({ accounts: ['corp'], clusters: ['prod'] }, of),
  'a plugin’s first run': async (of) => {
    const account = of.bindings.activeConfig().accounts.get('eks');
    return account && of.programs.find(account);
  },
  'lock and unlock': async (of) => {
    of.vault.locked = true;
    of.bindings.activeConfig();
    of.vault.locked = false;
    await of.bindings.adoptNewVault();
    await of.bindings.keepForms();
  },
  'the broker’s next start': async (of) => {
    const next = new Bindings({ config: of.config, vault: of.vault });
    await next.adoptNewVault();
    await next.keepForms();
  },
  'a vault that approved just that, restored': async (of) => {
    const elsewhere = new Bindings({ config: of.config, vault: new FakeVault() });
    const other = new FakeVault();
    await new Bindings({ config: of.config, vault: other }).approve({ changes: elsewhere.changes() });
    await of.vault.update((): VaultContent => of.bindings.keepPending(other.content));
  },
};

/** Those that each path is taken with: one of each sort. The others are taken with three paths; the long form has all. */
const sorts = [
  'no approval any more',
  'another server',
  'another issuer',
  'a new cluster',
  'no lock any more',
];
const isTaken = (change: string, path: string) =>
  sorts.includes(change) ||
  chosenPoints(Object.keys(paths).length).includes(Object.keys(paths).indexOf(path) + 1);
const cells = Object.keys(outside).flatMap((change) =>
  Object.keys(paths)
    .filter((path) => isTaken(change, path))
    .map((path) => [change, path] as const),
);

describe(`what is pending is not approved as a part of something else${seedInTitle}`, () => {
  it.each(cells)('%s: by %s', async (change, path) => {
    const of = await world();
    const { bindings, vault, config, file } = of;
    const [before, after, pending] = outside[change as keyof typeof outside];
    const [what, name = ''] = pending.split(' ') as ['account' | 'cluster' | 'setting', string];
    await writeFile(file, approvedText.replace(before, after));
    await config.reload();
    expect(bindings.pending(what, name)).not.toBeNull();
    const approved = approvedOf(vault, what, name);
    const served = servedOf(bindings, what, name);
    await paths[path]?.(of).catch((error: { code?: string }) => {
      // A refusal is fine, a fault is not.
      expect(error.code).toMatch(/^\w+(\.\w+)+$/);
    });
    await config.reload();
    const isThere =
      what === 'setting' ||
      (what === 'account' ? config.current().accounts : config.current().clusters).has(name);
    if (isThere) {
      expect(bindings.pending(what, name)).not.toBeNull();
      expect(approvedOf(vault, what, name)).toBe(approved);
      expect(servedOf(bindings, what, name)).toEqual(served);
    }
    await config.dispose();
  });
});

describe('what a user adds in full is approved at once', () => {
  const base: [ConfiguredKind, string, unknown][] = [
    ['account', 'keys', { aws: { profile: 'work' } }],
    ['account', 'signer', { requestSigner: { command: '/bin/true' } }],
    ['account', 'card', { pkcs11: { module: '/bin/true', certificate: 'auto' } }],
  ];
  const chained = (...chain: object[]) => ({ server: 'https://new:6443', account: 'corp', proxy: { chain } });
  it.each<[string, ConfiguredKind, unknown]>([
    ['a cluster’s account', 'cluster', { server: 'https://new:6443', account: 'corp' }],
    ['the AWS keys that sign', 'cluster', chained({ sign: 'keys', service: 'execute-api', region: 'eu-1' })],
    ['the program that signs', 'cluster', chained({ sign: 'signer' })],
    ['a header’s account', 'cluster', chained({ set: 'x-token', account: 'bot' })],
    ['the key of a client', 'account', { oidc: { ...oidc, clientKeyAccount: 'card' } }],
    ['the certificate of a client', 'account', { oidc: { ...oidc, clientCertificateAccount: 'card' } }],
    ['the keys of an EKS token', 'account', { awsEks: { account: 'keys', cluster: 'c', region: 'eu-1' } }],
    ['the hub of a secret reader', 'account', { secretReader: { cluster: 'other', namespace: 'fleet' } }],
    ['a registry’s account', 'registry', { matchImages: ['r.example.com'], account: 'bot' }],
    [
      'an inventory’s hub and account',
      'inventory',
      { cluster: 'other', providers: [{ name: 'p', account: 'corp' }] },
    ],
  ])('though it names another entry: %s', async (_, what, value) => {
    const of = await world();
    const by = { kind: 'confirming' } as const;
    for (const [kind, name, entry] of base) {
      await editConfig({ kind: 'set', what: kind, name, value: entry as object }, by, of);
    }
    const saved = await editConfig({ kind: 'set', what, name: 'new', value: value as object }, by, of);
    await of.config.reload();
    expect([saved, of.bindings.changes().map(({ name }) => name)]).toEqual([{ held: false }, []]);
    await of.config.dispose();
  });

  it('or the answer says that it is pending', async () => {
    const of = await world();
    const config = {
      edit: of.config.edit.bind(of.config),
      stated: async () => loadedEntries(() => new Map()),
    };
    const edit = { kind: 'set', what: 'account', name: 'new', value: { staticToken: {} } } as const;
    expect(await editConfig(edit, { kind: 'confirming' }, { ...of, config })).toEqual({ held: true });
    await of.config.reload();
    expect(of.bindings.changes().map(({ name }) => name)).toEqual(['new']);
    await of.config.dispose();
  });
});

function approvedOf({ content }: FakeVault, what: string, name: string): string | undefined {
  const { accounts, clusters, settings } = content.confirmed;
  return { account: accounts, cluster: clusters, setting: settings }[what]?.[name];
}

function servedOf(bindings: Bindings, what: 'account' | 'cluster' | 'setting', name: string): unknown {
  if (what === 'setting') {
    return bindings.settings()?.lock;
  }
  return bindings.isServed(what, name)
    ? bindings.activeConfig()[what === 'account' ? 'accounts' : 'clusters'].get(name)
    : 'not served';
}
