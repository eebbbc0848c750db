import { beforeAll, describe, expect, it, test } from 'vitest';
import { createCa } from '../../../test/support/certificates.ts';
import { type AccountConfig, account as accountSchema } from '../../contract/config/accounts/account.ts';
import { inventory as inventorySchema } from '../../contract/config/inventory.ts';
import { clusterShape } from '../approval/cluster-shape.ts';
import type { Profile } from './profile.ts';
import { ignoredText } from './profile-variables.ts';
import { readProfile } from './read-profile.ts';
import { profileResolver, type Resolution, type ResolvedProfile } from './resolve-profile.ts';
import {
  execExtension,
  extension,
  profileObject,
  seedsArgs,
  seedsEnv,
  todaysArgs,
  todaysEnv,
} from './testing/a-profile.ts';

let ca: string;
beforeAll(async () => {
  ca = (await createCa('cluster')).certificatePem;
});

const server = 'https://api.example.com:6443';
const base64 = (text: string) => Buffer.from(text).toString('base64');

const account = (value: object): { config: AccountConfig } => ({ config: accountSchema.parse(value) });
const plugin = (parts: object = {}) =>
  account({
    execPlugin: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/bin/plugin',
      interactiveMode: 'Never',
      ...parts,
    },
  });
const accounts = new Map([
  ['google', plugin({ env: [{ name: 'OWN', value: 'own' }, { name: 'KEPT' }] })],
  ['eks', plugin()],
  ['path', plugin({ searchPath: '/usr/bin' })],
  ['corp', account({ oidc: { issuer: 'https://idp', clientId: 'k' } })],
]);

interface Setting {
  inventory?: object;
  /** Of the provider google. */
  provider?: object;
  cluster?: object;
  extensions?: unknown[];
  metadata?: object;
}

function inventoryOf({ inventory = {}, provider = {} }: Setting) {
  const config = inventorySchema.parse({
    cluster: 'hub',
    providers: [{ name: 'google', account: 'google', ...provider }],
    ...inventory,
  });
  return { name: 'fleet', config };
}

function profileOf(value: unknown): Profile {
  const read = readProfile(value, 'fleet');
  if (!read.ok) {
    throw new Error(read.fault);
  }
  return read.profile;
}

function resolve(setting: Setting): Resolution {
  const { cluster = {}, extensions = [], metadata = {} } = setting;
  const accessProviders = [{ name: 'google', cluster: { server, extensions, ...cluster } }];
  const value = profileObject({ metadata, status: { accessProviders } });
  return profileResolver(inventoryOf(setting))(profileOf(value), accounts);
}

function resolved(setting: Setting): ResolvedProfile {
  const resolution = resolve(setting);
  if (!resolution.ok) {
    throw new Error(`${resolution.reason}: ${resolution.message}`);
  }
  return resolution;
}

function fault(setting: Setting): string {
  const resolution = resolve(setting);
  return resolution.ok ? 'none' : `${resolution.reason}: ${resolution.message}`;
}

/** KEP-5339/endpoint, KEP-5339/exec-config */
describe('a profile', () => {
  it('becomes a cluster as config.yaml has them', () => {
    const cluster = {
      server: 'HTTPS://API.example.com:6443/k8s/',
      'tls-server-name': 'kubernetes',
      'certificate-authority-data': base64(`# of the manager\n${ca}`),
      'proxy-url': 'http://proxy:3128',
      'disable-compression': true,
    };
    const extensions = [
      extension(execExtension, { region: 'x' }),
      extension(todaysArgs, ['--a', 'b', '--a', 'b']),
      extension(todaysEnv, { ZONE: 'z' }),
    ];
    const provider = {
      profileSourcedCLIArgsPolicy: 'Append',
      profileSourcedEnvVarsPolicy: 'Replace',
      allowedEnvVars: ['ZONE'],
      audience: 'urn:{inventory}:{namespace}/{name}',
    };
    expect(resolved({ cluster, extensions, provider })).toEqual({
      ok: true,
      provider: 'google',
      why: 'google is the only provider that the profile lists',
      config: {
        server: 'https://api.example.com:6443/k8s',
        tlsServerName: 'kubernetes',
        insecureSkipTlsVerify: false,
        proxyUrl: 'http://proxy:3128',
        disableCompression: true,
        execConfig: { region: 'x' },
        account: 'google',
        audience: 'urn:fleet:fleet/prod',
        additionalArgs: ['--a', 'b', '--a', 'b'],
        additionalEnv: [{ name: 'ZONE', value: 'z' }],
        withoutInfo: 'refuse',
        approval: 'never',
        execCredential: 'ask',
      },
      certificateAuthorityPem: ca,
      isExpectedServer: false,
      rewrittenFrom: null,
      ignored: [],
    });
  });

  it('with nothing but a server is a cluster of the account, with the system’s CAs', () => {
    expect(resolved({})).toMatchObject({
      config: { server, account: 'google', insecureSkipTlsVerify: false },
      certificateAuthorityPem: null,
    });
    expect(Object.keys(resolved({}).config).sort()).toEqual(
      ['account', 'approval', 'execCredential', 'insecureSkipTlsVerify', 'server', 'withoutInfo'].sort(),
    );
  });

  const plain = 'not a plain scheme://host:port address';
  test.each<[string, string]>([
    ['', 'states no server'],
    ['api', `its server api: ${plain}`],
    ['http://api', 'its server http://api: no https:// URL'],
    ['https://me@api', `its server "https://…@api": ${plain}`],
    ['https://api\\@evil', `its server "https://…": ${plain}`],
    ['https://api/?a', 'its server "https://api/?a": has a query, a fragment or a backslash'],
    ['https://api/a/../b', 'its server https://api/a/../b: has a dot segment in its path'],
    ['https://0x7f.1', 'its server https://0x7f.1: has a host in an unusual form'],
  ])('with the server %j is a fault', (stated, expected) => {
    expect(fault({ cluster: { server: stated } })).toBe(`badServer: ${expected}`);
  });

  test.each<[string, string]>([
    ['file:///etc', `its proxy-url file:///etc: ${plain}`],
    ['http://a:b@proxy', `its proxy-url "http://…@proxy": ${plain}`],
    ['socks4://proxy', 'its proxyUrl: expected an http://, https:// or socks5:// URL'],
  ])('with the proxy %j is a fault', (proxy, expected) => {
    expect(fault({ cluster: { 'proxy-url': proxy } })).toBe(`badProxy: ${expected}`);
  });

  const withCa = (pem: string) => ({ 'certificate-authority-data': base64(pem) });
  const insecure = 'its insecure-skip-tls-verify is string, not true or false';
  test.each<[string, Setting, string]>([
    [
      'no PEM',
      { cluster: withCa('a CA') },
      'badAuthority: its CA can’t be read: there is no certificate in it',
    ],
    [
      'a TLS name that is none',
      { cluster: { 'tls-server-name': 'a b' } },
      'badCluster: its tls-server-name is not a host’s name',
    ],
    [
      'a fault',
      { cluster: { 'insecure-skip-tls-verify': 'yes' } },
      `badProvider: its provider google can’t be used: ${insecure}`,
    ],
    [
      'an account that isn’t there',
      { provider: { account: 'none' } },
      'noAccount: needs the account none, which is not configured',
    ],
  ])('with %s is a fault', (_, setting, expected) => {
    expect(fault(setting)).toBe(expected);
  });

  it('insecure with a CA is one, as for client-go; without one it is insecure', () => {
    const cluster = { 'insecure-skip-tls-verify': true };
    expect(resolved({ cluster }).config.insecureSkipTlsVerify).toBe(true);
    const both = { ...cluster, ...withCa(ca) };
    expect(fault({ cluster: both })).toBe('badAuthority: has a CA beside insecure-skip-tls-verify');
  });

  it('of nine certificates is one', () => {
    const nine = withCa(ca.repeat(9));
    expect(fault({ cluster: nine })).toBe('badAuthority: its CA has more than 8 certificates');
  });

  const many = Array.from({ length: 20 }, (_, index) => ({ name: `p${index}` }));
  const noStatus = 'has no status: its cluster manager has not written one yet';
  const others = 'lists only access providers that fleet doesn’t have: aks, "a b"';
  test.each<[string, unknown, string, unknown]>([
    ['without a status', undefined, 'noStatus', noStatus],
    ['without providers', {}, 'noProviders', 'lists no access providers'],
    ['with others’ providers', { accessProviders: [{ name: 'aks' }, { name: 'a b' }] }, 'noProvider', others],
    [
      'with many of them',
      { accessProviders: many },
      'noProvider',
      expect.stringMatching(/: p0, .*, p7 and 12 more$/),
    ],
  ])('%s has no provider', (_, status, reason, message) => {
    const resolution = profileResolver(inventoryOf({}))(profileOf(profileObject({ status })), accounts);
    expect(resolution).toEqual({ ok: false, provider: null, reason, message });
  });
});

/** KEP-5339/several-providers */
describe('of several providers', () => {
  const [aks, eks, google] = ['aks', 'eks', 'google'].map((name) => ({
    name,
    cluster: { server: `https://${name}` },
  }));
  const chosen = (names: readonly string[], accessProviders: unknown[] = [aks, eks, google]) => {
    const inventory = { providers: names.map((name) => ({ name, account: 'eks' })) };
    const profile = profileOf(profileObject({ status: { accessProviders } }));
    const resolution = profileResolver(inventoryOf({ inventory }))(profile, accounts);
    return resolution.ok
      ? [resolution.config.server, resolution.why]
      : [resolution.reason, resolution.provider];
  };

  it('the first in the inventory’s order is used, not in the profile’s', () => {
    expect(chosen(['google', 'eks'])).toEqual(['https://google', 'google is the first provider of fleet']);
    expect(chosen(['none', 'eks', 'aks'])).toEqual([
      'https://eks',
      'eks is the first provider of fleet that the profile lists',
    ]);
  });

  it('one with a fault doesn’t pass the choice on to the next', () => {
    const faulty = { name: 'google', cluster: 7 };
    expect(chosen(['google', 'eks'], [faulty, aks, eks])).toEqual(['badProvider', 'google']);
    expect(chosen(['google', 'eks'], [{ name: 'google' }, aks, eks])).toEqual(['badServer', 'google']);
  });
});

describe('a server', () => {
  const servers = ['*.example.com', '10.0.0.0/8', 'https://proxy.lab/clusters'];
  const isExpected = (url: string, provider: object = {}) =>
    resolved({
      inventory: { servers, providers: [{ name: 'google', account: 'google', ...provider }] },
      cluster: { server: url },
    }).isExpectedServer;

  it('is expected where the inventory’s servers have it', () => {
    expect(isExpected(server)).toBe(true);
    expect(isExpected('https://10.1.2.3')).toBe(true);
    expect(isExpected('https://proxy.lab/clusters/a')).toBe(true);
    expect(isExpected('https://proxy.lab/other')).toBe(false);
    expect(isExpected('https://evilexample.com')).toBe(false);
  });

  it('is expected by its provider’s own servers alone, where it has some', () => {
    expect(isExpected(server, { servers: ['10.0.0.0/8'] })).toBe(false);
    expect(isExpected('https://10.1.2.3', { servers: ['10.0.0.0/8'] })).toBe(true);
  });

  it('is not expected by a pattern that can’t be parsed', () => {
    expect(isExpected(server, { servers: ['*'] })).toBe(false);
  });

  it('is rewritten by the first rewrite that matches, and judged in its new place', () => {
    const hub = 'https://proxy.hub.svc:9092';
    const inventory = {
      servers,
      serverRewrites: [
        { from: `${hub}/x`, to: 'https://no' },
        { from: hub, to: 'https://proxy.lab/clusters' },
        { from: 'https://proxy.lab', to: 'https://never' },
      ],
    };
    expect(resolved({ inventory, cluster: { server: `${hub}/one` } })).toMatchObject({
      config: { server: 'https://proxy.lab/clusters/one' },
      rewrittenFrom: `${hub}/one`,
      isExpectedServer: true,
    });
  });
});

/** KEP-5339/arguments, KEP-5339/variables */
describe.each([
  ['today’s', todaysArgs, todaysEnv],
  ['the first text’s', seedsArgs, seedsEnv],
])('additional arguments and variables, under %s names', (_, argsName, envName) => {
  const parts = (provider: object, stated: { args?: unknown; env?: unknown }) => {
    const { config, ignored } = resolved({
      provider,
      extensions: [
        ...(stated.args === undefined ? [] : [extension(argsName, stated.args)]),
        ...(stated.env === undefined ? [] : [extension(envName, stated.env)]),
      ],
    });
    return {
      args: config.additionalArgs,
      env: config.additionalEnv?.map(({ name, value }) => `${name}=${value}`),
      ignored: ignored.map(ignoredText),
    };
  };
  const append = { profileSourcedCLIArgsPolicy: 'Append' };
  const replace = { profileSourcedEnvVarsPolicy: 'Replace', allowedEnvVars: ['OWN', 'ZONE', 'KEPT'] };
  const ifNotExists = { ...replace, profileSourcedEnvVarsPolicy: 'AppendIfNotExists' };
  const env = { ZONE: 'z', OWN: 'theirs', KEPT: 'x' };
  const none = { args: undefined, env: undefined, ignored: [] };

  test.each<[string, { args: unknown; env: unknown }, string[]]>([
    ['', { args: ['--a'], env: { B: '1', A: '2' } }, ['additional arguments', 'A', 'B']],
    [
      ' also where they can’t be read',
      { args: 'x', env: 'y' },
      ['additional arguments', 'additional variables'],
    ],
  ])('are ignored, unless the provider’s policies say otherwise%s', (_where, stated, ignored) => {
    const words = ignored.map((each) => `${each}: the provider’s policy is Ignore`);
    expect(parts({}, stated)).toEqual({ ...none, ignored: words });
  });

  it('are a fault where they would count, and can’t be read', () => {
    expect(fault({ provider: append, extensions: [extension(argsName, [{}])] })).toBe(
      'badArguments: additional-args has argument 1, which is object, not text',
    );
    expect(fault({ provider: replace, extensions: [extension(envName, { 'A=B': 'c' })] })).toBe(
      'badVariables: additional-envs has A=B, which is no variable’s name',
    );
  });

  it('arguments come in their order, none is left out', () => {
    expect(parts(append, { args: ['--b', '--a', '--b', ''] }).args).toEqual(['--b', '--a', '--b', '']);
    expect(parts(append, { args: [] })).toEqual(none);
  });

  it('with Replace a profile’s value wins, also over one in the vault', () => {
    expect(parts(replace, { env })).toEqual({ ...none, env: ['KEPT=x', 'OWN=theirs', 'ZONE=z'] });
  });

  it('with AppendIfNotExists the account’s wins', () => {
    const ignored = ['KEPT: its account sets it', 'OWN: its account sets it'];
    expect(parts(ifNotExists, { env })).toEqual({ ...none, env: ['ZONE=z'], ignored });
  });

  it('an account’s searchPath is its PATH', () => {
    const provider = { ...ifNotExists, account: 'path', allowedEnvVars: ['PATH'] };
    const ignored = ['PATH: its account sets it'];
    expect(parts(provider, { env: { PATH: '/evil' } })).toEqual({ ...none, ignored });
  });

  test.each([
    ...['AWS_CONFIG_FILE', 'CLOUDSDK_PYTHON', 'HOME', 'PATH', 'KUBECONFIG', 'HTTPS_PROXY', 'https_proxy'],
    ...['NO_PROXY', 'AZURE_AUTHORITY_HOST', 'SSL_CERT_FILE', 'XDG_CONFIG_HOME', 'PYTHONHTTPSVERIFY'],
    ...['GIT_SSH', 'ZONES', 'zone'],
  ])('%s is ignored unless it is named itself', (name) => {
    const stated = { env: { [name]: 'x' } };
    const ignored = [`${name}: it is not in allowedEnvVars`];
    expect(parts(replace, stated)).toEqual({ ...none, ignored });
    expect(parts({ ...replace, allowedEnvVars: [name] }, stated)).toEqual({ ...none, env: [`${name}=x`] });
  });

  test.each([
    ...['LD_PRELOAD', 'ld_preload', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'BASH_ENV', 'PYTHONPATH'],
    ...['PERL5LIB', 'JAVA_TOOL_OPTIONS', 'KUBERNETES_EXEC_INFO', 'LANYARD_HOME'],
  ])('%s is ignored, also where it is named', (name) => {
    const ignored = [`${name}: it makes programs load or run other code`];
    const allowing = { ...replace, allowedEnvVars: [name] };
    expect(parts(allowing, { env: { [name]: 'x' } })).toEqual({ ...none, ignored });
  });

  it('reach no account that runs no plugin', () => {
    const provider = { ...append, ...replace, account: 'corp' };
    const ignored = ['additional arguments: its account runs no plugin', 'ZONE: its account runs no plugin'];
    expect(parts(provider, { args: ['--a'], env: { ZONE: 'z' } })).toEqual({ ...none, ignored });
  });
});

describe('an audience', () => {
  it('is filled from names alone, whatever else the hub states', () => {
    const provider = { account: 'corp', audience: 'https://{name}.{namespace}.{inventory}/{displayName}' };
    const setting = { provider, metadata: { name: 'a.b', namespace: 'team' } };
    expect(resolved(setting).config.audience).toBe('https://a.b.team.fleet/{displayName}');
  });
});

/**
 * The community library changes the provider’s exec config in place: a profile gets another’s arguments, and its own
 * twice (rule: remote-inventory).
 */
describe('profiles', () => {
  const provider = {
    profileSourcedCLIArgsPolicy: 'Append',
    profileSourcedEnvVarsPolicy: 'Replace',
    allowedEnvVars: ['A', 'B', 'OWN'],
  };
  const value = (name: string, args: string[], env: object) =>
    profileOf(
      profileObject({
        metadata: { name },
        status: {
          accessProviders: [
            {
              name: 'google',
              cluster: {
                server,
                extensions: [
                  extension(execExtension, { cluster: name, deep: { list: [name] } }),
                  extension(todaysArgs, args),
                  extension(todaysEnv, env),
                ],
              },
            },
          ],
        },
      }),
    );

  it('leak nothing into another, nor into their account, in no order and no number of runs', () => {
    const [a, b] = [value('a', ['--of-a'], { A: 'a', OWN: 'a' }), value('b', ['--of-b'], { B: 'b' })];
    const before = JSON.stringify([...accounts]);
    const resolver = profileResolver(inventoryOf({ provider }));
    const alone = [a, b].map((each) => profileResolver(inventoryOf({ provider }))(each, accounts));
    for (const order of [
      [a, b, a],
      [b, a, b, b, a],
    ]) {
      for (const each of order) {
        expect(resolver(each, accounts)).toEqual(alone[each === a ? 0 : 1]);
      }
    }
    expect(alone.map((each) => each.ok && each.config.additionalArgs)).toEqual([['--of-a'], ['--of-b']]);
    expect(JSON.stringify([...accounts])).toBe(before);
  });

  it('share nothing with what they are made of', () => {
    const a = value('a', ['--of-a'], { A: 'a' });
    const resolver = profileResolver(inventoryOf({ provider }));
    const [first, second] = [resolver(a, accounts), resolver(a, accounts)];
    if (!first.ok || !second.ok) {
      throw new Error('not resolved');
    }
    (first.config.additionalArgs as string[]).push('--evil');
    (first.config.additionalEnv as object[]).push({ name: 'EVIL', value: '' });
    (first.config.execConfig as { deep: { list: string[] } }).deep.list.push('evil');
    expect(resolver(a, accounts)).toEqual(second);
    expect(JSON.stringify([second, a.providers[0]?.args, a.providers[0]?.execConfig])).not.toContain('evil');
  });

  it('have the same shape in each order of their variables', () => {
    const shapes = [
      { A: '1', B: '2' },
      { B: '2', A: '1' },
    ].map((env) => {
      const resolution = profileResolver(inventoryOf({ provider }))(value('a', [], env), accounts);
      return resolution.ok ? clusterShape({ name: 'a', ...resolution }) : null;
    });
    expect(shapes[0]).toBe(shapes[1]);
  });
});
