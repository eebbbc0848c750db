import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createCa } from '../../../test/support/certificates.ts';
import { onWindows } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { Bindings } from '../../access/bindings.ts';
import { FakeVault } from '../../accounts/testing/fake-vault.ts';
import { Secret } from '../../base/secret.ts';
import { createConfigStore } from '../../config/store.ts';
import { type ImportedFiles, withImported } from '../../domain/import/imported-before.ts';
import { silentLog } from '../../ports/log.ts';
import type { Session } from '../../ports/vault.ts';
import { createImporter } from './importer.ts';
import type { PreparedImport } from './prepare.ts';
import { readSource } from './read-source.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const how = { confirms: true, signal: new AbortController().signal, say: () => undefined };

async function open() {
  const vault = new FakeVault();
  const config = await createConfigStore({ file: join(folder, 'config.yaml'), log: silentLog });
  onTestFinished(() => config.dispose());
  const bindings = new Bindings({ config, vault });
  let imported: ImportedFiles = {};
  const forgotten: string[] = [];
  const importer = createImporter({
    vault,
    config,
    bindings,
    recorder: { record: () => undefined },
    clock: { now: () => Date.UTC(2026, 0, 1) },
    replace: async () => null,
    check: async () => null,
    imported: () => imported,
    onSecrets: (account) => forgotten.push(account),
    helperPath: '/home/me/bin/lanyard',
    home: null,
  });
  const prepare = async (file: string) =>
    importer.prepare(await readSource([file], { homeDirectory: folder, searchPath: '/usr/bin:/bin' }), {
      contexts: null,
      inPlace: false,
      apiVersion: 'v1',
    });
  /** Imports it as the user does at a terminal, or (`confirms` false) as a program does. */
  const importAll = async (file: string, confirms = true) => {
    const prepared = await prepare(file);
    await importer.apply(prepared, { ...how, confirms });
    imported = withImported(imported, prepared.plan);
  };
  return { vault, config, bindings, importer, prepare, importAll, forgotten };
}

/** One context, of the user bot. */
const kubeconfigOf = (context: string, user: string, server: string, more = '') =>
  writeFile(
    join(folder, context),
    `clusters: [{name: c, cluster: {server: "${server}"${more}}}]
contexts: [{name: ${context}, context: {cluster: c, user: bot}}]
users: [{name: bot, user: ${user}}]
`,
  );
const kubeconfig = (context: string, token: string, server: string, more = '') =>
  kubeconfigOf(context, `{token: ${token}}`, server, more);

it('of two imports at once that give one name to two accounts only one is done: no token comes to the other one’s server', async () => {
  const { vault, config, importer, prepare } = await open();
  await kubeconfig('mine', 'token-of-mine', 'https://mine.example.com');
  await kubeconfig('evil', 'token-of-evil', 'https://evil.example.com');
  const [mine, evil] = [await prepare(join(folder, 'mine')), await prepare(join(folder, 'evil'))];
  const done = await Promise.allSettled([importer.apply(mine, how), importer.apply(evil, how)]);
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(done[1]).toMatchObject({ reason: { code: 'import.changed' } });
  expect([...config.current().clusters.keys()]).toEqual(['mine']);
  expect(vault.content.secrets['bot']?.['token']?.reveal()).toBe('token-of-mine');
});

it('another command that changes config.yaml while the secret goes into the vault ends the import, and leaves no secret', async () => {
  const { vault, config, importer, prepare } = await open();
  await kubeconfig('mine', 'token-of-mine', 'https://mine.example.com');
  const prepared = await prepare(join(folder, 'mine'));
  vault.beforeWrite = async () => {
    vault.beforeWrite = () => undefined;
    await config.edit([{ kind: 'set', what: 'account', name: 'other', value: { staticToken: {} } }]);
  };
  await expect(importer.apply(prepared, how)).rejects.toMatchObject({ code: 'import.changed' });
  expect([[...config.current().accounts.keys()], vault.content.secrets]).toEqual([['other'], {}]);
});

/** `mine`: one context, of the user bot, whose token is in a file. */
async function writeBotsKubeconfig(): Promise<void> {
  await writeFile(join(folder, 'token'), 'token-of-a-file');
  await kubeconfigOf('mine', '{tokenFile: token}', 'https://mine.example.com');
}

it('a lock while the user was asked leaves all as it was, also where nothing goes into the vault', async () => {
  const { vault, config, importer, prepare } = await open();
  await writeBotsKubeconfig();
  const prepared = await prepare(join(folder, 'mine'));
  vault.locked = true;
  await expect(importer.apply(prepared, how)).rejects.toMatchObject({ code: 'vault.locked' });
  expect(config.current().clusters.size).toBe(0);
});

describe('what the vault has of an account that was removed', () => {
  const left = { bot: { clientSecret: new Secret('left'), token: new Secret('left') } };

  it.each([true, false])('stays, and is not a new account’s (the user approves it: %s)', async (confirms) => {
    const { vault, config, prepare, importAll } = await open();
    await vault.update((content) => ({ ...content, secrets: left }));
    await writeBotsKubeconfig();
    const { plan } = await prepare(join(folder, 'mine'));
    expect(plan.users[0]?.notes).toContain(
      'its account is bot-2: the vault still has the login or secrets of an earlier account bot (to remove them: lanyard account remove bot)',
    );
    await importAll(join(folder, 'mine'), confirms);
    expect([...config.current().accounts.keys()]).toEqual(['bot-2']);
    expect(vault.content.secrets).toEqual(left);
  });

  it('gives no one its login: not for the same provider and client, at another server', async () => {
    const { vault, config, importAll } = await open();
    const session = { issuer: 'https://id.example.com', clientId: 'kubernetes' } as Session;
    await vault.update((content) => ({ ...content, sessions: { corp: session } }));
    await writeFile(
      join(folder, 'evil'),
      `clusters: [{name: c, cluster: {server: "https://evil.example.com"}}]
contexts: [{name: evil, context: {cluster: c, user: corp}}]
users:
  - name: corp
    user:
      exec:
        apiVersion: client.authentication.k8s.io/v1
        command: kubelogin
        args: [get-token, --oidc-issuer-url=https://id.example.com, --oidc-client-id=kubernetes]
        interactiveMode: IfAvailable
`,
    );
    await importAll(join(folder, 'evil'));
    expect(config.current().accounts.has('corp')).toBe(false);
    expect(config.current().clusters.get('evil')?.config.account).toBe('corp-2');
    expect(vault.content.sessions).toEqual({ corp: session });
  });

  it.each([
    [
      'is this account’s where it is the same: an import got no further than the vault',
      { token: new Secret('token-of-mine') },
    ],
    ['is nothing where it is an empty record', {}],
  ])('%s', async (_, bot) => {
    const { vault, config, importAll } = await open();
    await kubeconfig('mine', 'token-of-mine', 'https://mine.example.com');
    await vault.update((content) => ({ ...content, secrets: { bot } }));
    await importAll(join(folder, 'mine'));
    expect([...config.current().accounts.keys()]).toEqual(['bot']);
  });
});

it('an account that is new and pending gets no cluster that the user approves: they have not seen the account', async () => {
  const { config, bindings, importAll } = await open();
  await kubeconfig('first', 'one-token', 'https://first.example.com');
  await importAll(join(folder, 'first'), false);
  await kubeconfig('second', 'one-token', 'https://second.example.com');
  await expect(importAll(join(folder, 'second'))).rejects.toMatchObject({
    code: 'import.pending',
    message: 'the account bot, which a new entry would use, is new and pending approval',
    hint: 'review it first: lanyard confirm bot',
  });
  expect([...config.current().clusters.keys()]).toEqual(['first']);
  await bindings.approve({ changes: bindings.changes() });
  await importAll(join(folder, 'second'));
  expect(bindings.changes()).toEqual([]);
  expect([...config.current().clusters.keys()]).toEqual(['first', 'second']);
});

describe('a CA file that is swapped after its fingerprint was shown', () => {
  it('nothing is imported', async () => {
    const { vault, config, importer, prepare } = await open();
    const [shown, other] = [await createCa('shown'), await createCa('other')];
    await writeFile(join(folder, 'ca.pem'), shown.certificatePem);
    await kubeconfig('mine', 'token-of-mine', 'https://mine.example.com', ', certificate-authority: ca.pem');
    const prepared = await prepare(join(folder, 'mine'));
    await writeFile(join(folder, 'ca.pem'), other.certificatePem);
    await expect(importer.apply(prepared, how)).rejects.toMatchObject({ code: 'import.authority' });
    expect([config.current().clusters.size, vault.content.secrets]).toEqual([0, {}]);
  });

  it('one that is the same is confirmed', async () => {
    const { bindings, importer, prepare } = await open();
    const { certificatePem } = await createCa('shown');
    await writeFile(join(folder, 'ca.pem'), `# ours\n${certificatePem}`);
    await kubeconfig('mine', 'token-of-mine', 'https://mine.example.com', ', certificate-authority: ca.pem');
    await importer.apply(await prepare(join(folder, 'mine')), how);
    expect(bindings.pending('cluster', 'mine')).toBeNull();
  });
});

describe('the program of a plugin', () => {
  // What a path is, and what starts, is a question of the system (find-program.ts).
  const name = onWindows ? 'plugin.exe' : 'plugin';
  const own = onWindows ? '.\\plugin.exe' : './plugin';
  const plugin = async (text = '#!/bin/sh\n') => {
    await writeFile(join(folder, name), text, { mode: 0o755 });
    await writeFile(
      join(folder, 'mine'),
      `clusters: [{name: c, cluster: {server: "https://mine.example.com"}}]
contexts: [{name: mine, context: {cluster: c, user: eks}}, {name: more, context: {cluster: c, user: more}}]
users:
${['eks', 'more'].map((name) => `- {name: ${name}, user: {exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ${own}, args: [${name}]}}}`).join('\n')}
`,
    );
  };
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  it('is bound to what was shown, whatever replaced it while the user was asked', async () => {
    const { vault, importer } = await open();
    await plugin('#!/bin/sh\n# shown\n');
    const source = await readSource([join(folder, 'mine')], { homeDirectory: folder, searchPath: null });
    const selection = { contexts: null, inPlace: false, apiVersion: 'v1' } as const;
    const prepared = await importer.prepare(source, selection);
    const shown = { path: join(folder, name), sha256: sha256('#!/bin/sh\n# shown\n') };
    expect(prepared.plan.users).toMatchObject([
      { becomes: { program: shown } },
      { becomes: { program: shown } },
    ]);
    await plugin('#!/bin/sh\n# another\n');
    // A No to something else plans again: what was shown counts.
    const again = await importer.prepare(source, { ...selection, contexts: ['mine'] });
    expect(again.programs).toEqual({ eks: shown });
    await importer.apply(again, how);
    expect(vault.content.confirmed.programs).toEqual({ eks: shown });
  });

  it('that isn’t there is bound to nothing', async () => {
    const { vault, importer, prepare } = await open();
    await plugin();
    await rm(join(folder, name));
    const prepared = await prepare(join(folder, 'mine'));
    expect(prepared.programs).toEqual({ eks: null, more: null });
    await importer.apply(prepared, how);
    expect(vault.content.confirmed.programs).toEqual({});
  });
});

describe('what has changed since its import', () => {
  const replacesIn = ({ plan }: PreparedImport) => ({
    accounts: plan.users.map(({ becomes }) => 'account' in becomes && [becomes.account, becomes.replaces]),
    clusters: plan.clusters.map(({ becomes }) => 'cluster' in becomes && [becomes.cluster, becomes.replaces]),
    asked: plan.questions
      .filter(({ kind }) => kind === 'replaces')
      .map(({ contexts, lines }) => [contexts, lines]),
  });

  it('a rotated token takes the place of the old one, and what was made of that is dropped', async () => {
    const { vault, config, prepare, importAll, forgotten } = await open();
    await kubeconfig('mine', 'token-1', 'https://mine.example.com');
    await importAll(join(folder, 'mine'));
    await kubeconfig('mine', 'token-2', 'https://mine.example.com');
    expect(replacesIn(await prepare(join(folder, 'mine')))).toEqual({
      accounts: [['bot', true]],
      clusters: [['mine', null]],
      asked: [
        [
          ['mine'],
          ['the account bot gets other secrets than it has, which then are gone; it is what mine gets'],
        ],
      ],
    });
    await importAll(join(folder, 'mine'));
    expect([[...config.current().accounts.keys()], [...config.current().clusters.keys()]]).toEqual([
      ['bot'],
      ['mine'],
    ]);
    expect(vault.content.secrets['bot']?.['token']?.reveal()).toBe('token-2');
    expect(forgotten).toEqual(['bot', 'bot']);
    const third = await prepare(join(folder, 'mine'));
    expect([third.edits, third.plan.questions]).toEqual([[], []]);
  });

  it('a token that is a file’s from now on: the file is named', async () => {
    const { prepare, importAll } = await open();
    await kubeconfig('mine', 'token-1', 'https://mine.example.com');
    await importAll(join(folder, 'mine'));
    await writeFile(join(folder, 'private'), 'private-token');
    await kubeconfigOf('mine', '{tokenFile: private}', 'https://mine.example.com');
    expect(replacesIn(await prepare(join(folder, 'mine'))).asked).toEqual([
      [['mine'], [`the account bot gets what is in ${join(folder, 'private')}; it is what mine gets`]],
    ]);
  });

  it.each([
    ['withoutInfo: allow', { withoutInfo: 'allow' }],
    ['execCredential: allow', { execCredential: 'allow' }],
    ['an approval that is gone', { approval: undefined }],
  ])('an import approves no pending policy of a cluster that it would replace: %s', async (_, outside) => {
    const { config, bindings, prepare, importAll } = await open();
    await kubeconfig('kind', 'token-1', 'https://127.0.0.1:1001');
    await importAll(join(folder, 'kind'));
    const value = { server: 'https://127.0.0.1:1001', account: 'bot', approval: 'always' };
    await config.edit([{ kind: 'set', what: 'cluster', name: 'kind', value }]);
    await bindings.approve({ changes: bindings.changes() });
    // From outside: an editor, a dotfiles pull, another program.
    await config.edit([
      {
        kind: 'set',
        what: 'cluster',
        name: 'kind',
        value: JSON.parse(JSON.stringify({ ...value, ...outside })),
      },
    ]);
    expect(bindings.pending('cluster', 'kind')).toMatchObject({ change: 'changed' });
    const before = bindings.activeConfig().clusters.get('kind');
    await kubeconfig('kind', 'token-2', 'https://127.0.0.1:1002');
    const { plan } = await prepare(join(folder, 'kind'));
    expect(plan.clusters).toMatchObject([
      { becomes: { left: expect.stringContaining('review it first with lanyard confirm kind') } },
    ]);
    await importAll(join(folder, 'kind'));
    expect(bindings.pending('cluster', 'kind')).toMatchObject({ change: 'changed' });
    expect(bindings.activeConfig().clusters.get('kind')).toEqual(before);
  });

  it('a cluster made anew takes the place of the old one, and keeps what the user said of it', async () => {
    const { config, bindings, prepare, importAll } = await open();
    await kubeconfig('kind', 'token-1', 'https://127.0.0.1:1001');
    await importAll(join(folder, 'kind'));
    const value = { server: 'https://127.0.0.1:1001', account: 'bot', approval: 'always' };
    await config.edit([{ kind: 'set', what: 'cluster', name: 'kind', value }]);
    await bindings.approve({ changes: bindings.changes() });
    await kubeconfig('kind', 'token-2', 'https://127.0.0.1:1002');
    expect(replacesIn(await prepare(join(folder, 'kind')))).toEqual({
      accounts: [['bot', true]],
      clusters: [['kind', 'https://127.0.0.1:1001']],
      asked: [
        [
          ['kind'],
          [
            'kind was https://127.0.0.1:1001: the system’s CAs',
            'kind is now https://127.0.0.1:1002: the system’s CAs',
            expect.stringContaining('the account bot gets other secrets'),
          ],
        ],
      ],
    });
    await importAll(join(folder, 'kind'));
    expect([...config.current().clusters.values()]).toMatchObject([
      { name: 'kind', config: { server: 'https://127.0.0.1:1002', approval: 'always' } },
    ]);
    expect(bindings.pending('cluster', 'kind')).toBeNull();
  });

  it('without a terminal the new address is pending (rule: confirmed-binding)', async () => {
    const { bindings, importAll } = await open();
    await kubeconfig('kind', 'token-1', 'https://127.0.0.1:1001');
    await importAll(join(folder, 'kind'));
    await kubeconfig('kind', 'token-1', 'https://127.0.0.1:1002');
    await importAll(join(folder, 'kind'), false);
    expect(bindings.pending('cluster', 'kind')).not.toBeNull();
  });

  it('the same names in another file are another cluster and another account', async () => {
    const { vault, prepare, importAll } = await open();
    await kubeconfig('default', 'token-1', 'https://one.example.com');
    await importAll(join(folder, 'default'));
    await rename(join(folder, 'default'), join(folder, 'first'));
    await kubeconfig('default', 'token-2', 'https://two.example.com');
    await rename(join(folder, 'default'), join(folder, 'second'));
    expect(replacesIn(await prepare(join(folder, 'second')))).toEqual({
      accounts: [['bot-2', false]],
      clusters: [['default-2', null]],
      asked: [],
    });
    expect(vault.content.secrets['bot']?.['token']?.reveal()).toBe('token-1');
  });

  it('an account that another user of the file still is stays', async () => {
    const { prepare, importAll } = await open();
    const both = (token: string) =>
      writeFile(
        join(folder, 'both'),
        `clusters: [{name: c, cluster: {server: "https://c.example.com"}}]
contexts: [{name: a, context: {cluster: c, user: a}}, {name: b, context: {cluster: c, user: b}}]
users: [{name: a, user: {token: ${token}}}, {name: b, user: {token: token-1}}]
`,
      );
    await both('token-1');
    await importAll(join(folder, 'both'));
    await both('token-2');
    expect(replacesIn(await prepare(join(folder, 'both'))).accounts).toEqual([
      ['a-2', false],
      ['a', false],
    ]);
  });
});
