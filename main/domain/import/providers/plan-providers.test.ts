import { describe, expect, it } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { account as accountSchema } from '../../../contract/config/accounts/account.ts';
import { registry as registrySchema } from '../../../contract/config/registry.ts';
import type { CredentialProvider } from '../../image/credential-provider.ts';
import type { LoadedAccount, LoadedConfig, LoadedRegistry } from '../../loaded-config.ts';
import type { Program } from '../../program/program.ts';
import { someProgram } from '../../testing/some-program.ts';
import { importedEntries } from './imported-before.ts';
import { type KnownEntries, planProviders } from './plan-providers.ts';
import { type FolderPlugin, type ImportedProvider, importedOf } from './planned-provider.ts';

const v1 = 'credentialprovider.kubelet.k8s.io/v1';

function provider(name: string, fields: Partial<CredentialProvider> = {}): CredentialProvider {
  return {
    name,
    matchImages: [`${name}.example.com`],
    defaultCacheMilliseconds: 43_200_000,
    apiVersion: v1,
    args: [],
    env: [],
    tokenAttributes: null,
    ...fields,
  };
}

const at = (name: string) => `/opt/bin/${name}`;

function inFolder(providers: readonly CredentialProvider[], fields: Partial<Program> = {}) {
  return new Map(
    providers.map(({ name }): [string, FolderPlugin] => [
      name,
      { ok: true, path: at(name), program: someProgram(at(name), fields) },
    ]),
  );
}

interface Entries {
  accounts?: Record<string, object>;
  registries?: Record<string, object>;
  secrets?: Record<string, Record<string, string>>;
}

function known({ accounts = {}, registries = {}, secrets = {} }: Entries = {}): KnownEntries {
  const loaded = <Config>(entries: Record<string, object>, parse: (value: object) => Config) =>
    new Map(
      Object.entries(entries).map(([name, value]) => [
        name,
        { name, config: parse(value), certificateAuthorityPem: null },
      ]),
    );
  return {
    config: {
      accounts: loaded(accounts, accountSchema.parse) as Map<string, LoadedAccount>,
      registries: loaded(registries, registrySchema.parse) as Map<string, LoadedRegistry>,
    },
    secrets: mapped(secrets, (parts) => mapped(parts, (text) => new Secret(text))),
    sessions: {},
  };
}

function mapped<From, To>(of: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value)]));
}

const plan = (providers: CredentialProvider[], entries: Entries = {}) =>
  planProviders(providers, inFolder(providers), known(entries));

/** Why each is left, or the names that it becomes. */
const becomes = (planned: ReturnType<typeof plan>) =>
  planned.providers.map(({ becomes: one }) =>
    'left' in one ? one.left : `${one.account} ${one.registry} ${one.registryValue.matchImages.join(',')}`,
  );

/** As config.yaml has them after the import. */
function imported(planned: ReturnType<typeof plan>): Required<Entries> {
  const all: ImportedProvider[] = importedOf(planned);
  return {
    accounts: Object.fromEntries(all.map((each) => [each.account, each.accountValue])),
    registries: Object.fromEntries(all.map((each) => [each.registry, each.registryValue])),
    secrets: Object.fromEntries(
      all.map(({ account, secrets }) => [account, mapped(secrets, (secret) => secret.reveal())]),
    ),
  };
}

describe('planProviders', () => {
  it('makes an account and a registry of each, with secrets for the vault', () => {
    const planned = plan([
      provider('ecr', {
        args: ['get-credentials'],
        env: [
          { name: 'AWS_PROFILE', value: 'first' },
          { name: 'ECR_TOKEN', value: 'variable-canary' },
          { name: 'AWS_PROFILE', value: 'dev' },
        ],
      }),
    ]);
    const [one] = importedOf(planned);
    expect(one).toMatchObject({ account: 'ecr', registry: 'ecr', accountExists: false, secretsChange: true });
    expect(one?.accountValue).toEqual({
      credentialProvider: {
        apiVersion: v1,
        command: '/opt/bin/ecr',
        args: ['get-credentials'],
        env: [{ name: 'AWS_PROFILE', value: 'dev' }, { name: 'ECR_TOKEN' }],
        defaultCacheDuration: '12h',
      },
    });
    expect(one?.secrets['env.ECR_TOKEN']?.reveal()).toBe('variable-canary');
    expect(planned.providers[0]?.notes).toContain(
      'its ECR_TOKEN is copied into the vault; the kubelet’s file keeps it, too',
    );
    expect(JSON.stringify(planned)).not.toContain('variable-canary');
  });

  const noKeys = { requiredAnnotationKeys: [], optionalAnnotationKeys: [] };
  const tokens = { audience: 'aud', cacheType: 'Token', isRequired: true, ...noKeys } as const;
  it.each<[string, Partial<CredentialProvider>, RegExp]>([
    ['with a secret argument', { args: ['--token', 'hunter2hunter2'] }, /arguments hold --token/],
    ['with a loader’s variable', { env: [{ name: 'LD_PRELOAD', value: '/x' }] }, /LD_PRELOAD makes programs/],
    ['with an odd variable', { env: [{ name: 'a-b', value: 'x' }] }, /^its env a-b: expected a variable/],
    ['without a usable pattern', { matchImages: ['r?.io'] }, /^none of its patterns/],
  ])('leaves a provider %s, and says why', (_, fields, why) => {
    const planned = plan([provider('a', fields), provider('b')]);
    expect(becomes(planned)).toEqual([expect.stringMatching(why), 'b b b.example.com']);
  });

  it('keeps what a plugin gets of a service account', () => {
    const planned = plan([
      provider('a', { tokenAttributes: { ...tokens, requiredAnnotationKeys: ['example.com/role'] } }),
      provider('b', { tokenAttributes: { ...tokens, isRequired: false, cacheType: 'ServiceAccount' } }),
    ]);
    const [a, b] = importedOf(planned);
    expect(a?.accountValue.credentialProvider.tokenAttributes).toEqual({
      serviceAccountTokenAudience: 'aud',
      cacheType: 'Token',
      requireServiceAccount: true,
      requiredServiceAccountAnnotationKeys: ['example.com/role'],
    });
    const ofB = b?.accountValue.credentialProvider.tokenAttributes;
    expect(ofB).toMatchObject({ requireServiceAccount: false });
    const notes = planned.providers.map((each) => each.notes);
    expect(notes).toEqual([[expect.stringMatching(/docker gets nothing from it/)], []]);
    const one = provider('a', { tokenAttributes: tokens });
    expect(importedOf(plan([one], imported(plan([one]))))).toMatchObject([{ accountExists: true }]);
  });

  it('leaves a plugin that the folder doesn’t have, or that others can write', () => {
    const [a, b] = [provider('a'), provider('b')];
    const fault = 'plugin binary executable /opt/bin/a did not exist';
    const plugins = inFolder([a, b], { writers: [{ path: '/opt/bin', who: 'everybody' }] });
    plugins.set('a', { ok: false, fault });
    expect(becomes(planProviders([a, b], plugins, known()))).toEqual([
      fault,
      expect.stringMatching(/^everybody can write \/opt\/bin, and so put another program/),
    ]);
  });

  it.each([
    ['lanyard-credential-provider', '/home/me/.local/share/lanyard/bin/lanyard'],
    ['ecr', '/opt/bin/lanyard'],
    ['lanyard-credential-provider-corp', '/opt/bin/lanyard-credential-provider-corp'],
  ])('leaves its own helper: %s', (name, target) => {
    const one = provider(name);
    expect(becomes(planProviders([one], inFolder([one], { target }), known()))).toEqual([
      'its plugin is Lanyard’s own helper: it would ask itself',
    ]);
  });

  it('leaves a credential helper of docker’s, and says what to do with it', () => {
    expect(becomes(plan([provider('docker-credential-ecr-login'), provider('b')]))).toEqual([
      expect.stringMatching(/^its command: a credential helper of docker’s.*--credential-helper HELPER$/),
      'b b b.example.com',
    ]);
  });

  it('finds nothing new in what it made, and replaces a secret that differs', () => {
    const one = provider('a', { env: [{ name: 'A_TOKEN', value: 'old-canary' }] });
    const made = imported(plan([one]));
    const [again] = importedOf(plan([one], made));
    expect(again).toMatchObject({ accountExists: true, registryExists: true, secretsChange: false });
    const changed = provider('a', { env: [{ name: 'A_TOKEN', value: 'new-canary' }] });
    expect(importedOf(plan([changed], made))[0]).toMatchObject({ accountExists: true, secretsChange: true });
  });

  it('never takes a name of another account, or secrets that are left in the vault', () => {
    const taken = {
      accounts: { a: { registry: {} } },
      registries: { b: { matchImages: ['x.io'], account: 'a' } },
    };
    expect(becomes(plan([provider('a'), provider('b')], taken))).toEqual([
      'a-2 a a.example.com',
      'b b-2 b.example.com',
    ]);
    expect(becomes(plan([provider('a')], { secrets: { a: { 'env.X': 'left' } } }))).toEqual([
      'a-2 a a.example.com',
    ]);
  });

  it('asks one account for a pattern, and says so', () => {
    const planned = plan([
      provider('a', { matchImages: ['r.io', 'a.io'] }),
      provider('b', { matchImages: ['r.io'] }),
      provider('c', { matchImages: ['c.io', 'a.io', 'c.io'] }),
    ]);
    expect(becomes(planned)).toEqual(['a a r.io,a.io', expect.stringMatching(/^none/), 'c c c.io']);
    expect(planned.providers[1]?.notes[0]).toMatch(/r\.io stays out: it is the registry a’s/);
  });

  it('names a changed provider’s patterns as those of the earlier registry', () => {
    const made = imported(plan([provider('a')]));
    expect(becomes(plan([provider('a', { args: ['more'] })], made))).toEqual([
      expect.stringMatching(/^none/),
    ]);
  });

  it('says where patterns overlap, and which registry is asked then', () => {
    const planned = plan(
      [
        provider('wide', { matchImages: ['*.dkr.ecr.*.amazonaws.com'] }),
        provider('one', { matchImages: ['1234.dkr.ecr.eu-central-1.amazonaws.com'] }),
        provider('path', { matchImages: ['ghcr.io/team'] }),
        provider('apart', { matchImages: ['ghcr.io:5000'] }),
      ],
      {
        accounts: { hub: { registry: {} } },
        registries: {
          ghcr: { matchImages: ['ghcr.io'], account: 'hub' },
          called: { matchImages: ['ghcr.io'], account: 'hub', calledAs: 'work' },
        },
      },
    );
    const overlaps = planned.notes.filter((note) => note.includes('overlap'));
    expect(overlaps).toEqual([
      expect.stringMatching(/^ghcr\.io \(ghcr\) and ghcr\.io\/team \(path\).*Lanyard asks path alone/),
      expect.stringMatching(/^\*\.dkr.*\(wide\) and 1234.*\(one\).*Lanyard asks one alone/),
    ]);
  });

  it('says first where they overlap those of config.yaml, however many overlap each other', () => {
    const hosts = Array.from({ length: 30 }, (_, number) => `p${number}.io`);
    const { notes } = plan(
      [
        provider('own', { matchImages: hosts }),
        provider('more', { matchImages: [...hosts.map((host) => `${host}/x`), 'ghcr.io/team'] }),
      ],
      {
        accounts: { hub: { registry: {} } },
        registries: { ghcr: { matchImages: ['ghcr.io'], account: 'hub' } },
      },
    );
    expect(notes[0]).toMatch(/^ghcr\.io \(ghcr\) and ghcr\.io\/team \(more\)/);
    expect(notes).toContain('more patterns overlap: lanyard image why IMAGE tells which one is used');
  });

  it('warns of a pattern that covers strangers’ registries', () => {
    const planned = plan([provider('acr', { matchImages: ['*.azurecr.io'] })]);
    expect(planned.providers[0]?.notes[0]).toMatch(/^anyone can register a name that \*\.azurecr\.io covers/);
  });

  it('plans 500 providers of 2,000 patterns each other’s like', () => {
    const many = Array.from({ length: 500 }, (_, number) =>
      provider(`p${number}`, { matchImages: [0, 1, 2, 3].map((part) => `*a*b*c*.${part}.p${number}.io`) }),
    );
    expect(importedOf(plan(many))).toHaveLength(500);
  });
});

describe('importedEntries', () => {
  const one = provider('a', { env: [{ name: 'A_TOKEN', value: 'canary' }] });
  const config = (entries: Entries): LoadedConfig =>
    ({ ...known(entries).config, clusters: new Map() }) as unknown as LoadedConfig;
  const entriesOf = (entries: Entries, providers = [one]) =>
    importedEntries(providers, { config: config(entries), secrets: known(entries).secrets });

  it('finds what an import made', () => {
    expect(entriesOf(imported(plan([one])))).toEqual({ accounts: ['a'], registries: ['a'], left: [] });
  });

  it('leaves what the user changed since, and what something else uses', () => {
    const made = imported(plan([one]));
    const more = { other: { matchImages: ['other.io'], account: 'a' } };
    expect(entriesOf({ ...made, registries: { ...made.registries, ...more } })).toEqual({
      accounts: [],
      registries: ['a'],
      left: [{ account: 'a', why: 'other uses it' }],
    });
    const asked = { a: { ...made.registries['a'], approval: 'always' } };
    expect(entriesOf({ ...made, registries: asked })).toMatchObject({ accounts: [], registries: [] });
    expect(entriesOf({ ...made, secrets: { a: { 'env.A_TOKEN': 'another' } } })).toMatchObject({
      accounts: [],
      registries: [],
    });
    expect(entriesOf(made, [provider('a')])).toMatchObject({ accounts: [], registries: [] });
  });
});
