import { beforeAll, describe, expect, test } from 'vitest';
import { createCa } from '../../../test/support/certificates.ts';
import { quoted } from '../../../test/support/system.ts';
import { type AccountConfig, account } from '../../contract/config/accounts/account.ts';
import { cluster } from '../../contract/config/cluster.ts';
import { defaultSettings } from '../../contract/config/settings.ts';
import type { LoadedAccount, LoadedCluster, LoadedConfig } from '../loaded-config.ts';
import { noEntries, noTexts } from '../testing/no-entries.ts';
import { accountShape, approvedSettings, clusterShape, pendingChanges, settingShapes } from './binding.ts';

let ca: string;
let otherCa: string;

beforeAll(async () => {
  const made = await Promise.all([createCa('cluster'), createCa('other')]);
  [ca, otherCa] = [made[0].certificatePem, made[1].certificatePem];
});

function anAccount(value: unknown, pem: string | null = null): LoadedAccount {
  return { name: 'corp', config: account.parse(value) as AccountConfig, certificateAuthorityPem: pem };
}

function oidc(fields: object = {}, pem: string | null = null): LoadedAccount {
  return anAccount({ oidc: { issuer: 'https://id.example.com', clientId: 'kubernetes', ...fields } }, pem);
}

/** What was confirmed before anything was. */
const nothing = { ...noTexts, settings: {} };
const provider = { apiVersion: 'credentialprovider.kubelet.k8s.io/v1', command: 'p' };
const tokenAttributes = { serviceAccountTokenAudience: 'a', cacheType: 'Token', requireServiceAccount: true };
const withTokens = { ...provider, tokenAttributes };
const annotated = { ...tokenAttributes, optionalServiceAccountAnnotationKeys: ['role'] };
const withAnnotations = { ...provider, tokenAttributes: annotated };

function aCluster(fields: object = {}, pem: string | null = null, name = 'prod'): LoadedCluster {
  const config = cluster.parse({ server: 'https://10.0.0.1:6443', account: 'corp', ...fields });
  return { name, config, certificateAuthorityPem: pem };
}

function shapesOf({ accounts, clusters, settings }: LoadedConfig) {
  return {
    ...noTexts,
    accounts: Object.fromEntries([...accounts].map(([name, each]) => [name, accountShape(each)])),
    clusters: Object.fromEntries([...clusters].map(([name, each]) => [name, clusterShape(each)])),
    settings: settingShapes(settings),
  };
}

function config(accounts: LoadedAccount[], clusters: LoadedCluster[]): LoadedConfig {
  return {
    ...noEntries,
    accounts: new Map(accounts.map((each) => [each.name, each])),
    clusters: new Map(clusters.map((each) => [each.name, each])),
    settings: defaultSettings,
  };
}

describe('an account is another one when what decides about its secrets is (rule: confirmed-binding)', () => {
  test.each<[string, () => LoadedAccount]>([
    ['issuer', () => oidc({ issuer: 'https://evil.example.com' })],
    ['issuer, by a slash', () => oidc({ issuer: 'https://id.example.com/' })],
    ['client', () => oidc({ clientId: 'other' })],
    ['scopes', () => oidc({ scopes: ['openid', 'groups'] })],
    ['token', () => oidc({ token: 'access' })],
    ['CA', () => oidc({}, ca)],
    ['kind', () => anAccount({ staticToken: {} })],
    ['flow without a person', () => oidc({ flow: 'clientCredentials' })],
    ['flow with service account tokens', () => oidc({ flow: 'serviceAccountToken' })],
    ['audience of service account tokens', () => oidc({ serviceAccountTokenAudience: 'other' })],
    ['more parameters', () => oidc({ extraParams: { resource: 'https://evil.example.com' } })],
    ['more headers', () => oidc({ extraHeaders: { 'X-Tenant': 'evil' } })],
    ['proxy', () => oidc({ proxyUrl: 'http://evil:1' })],
    ['browser', () => oidc({ browser: ['firefox'] })],
    ['browser’s arguments', () => oidc({ browser: ['sh', '-c', 'x'] })],
    ['client assertion', () => oidc({ clientAssertionFile: '/run/token' })],
    ['client’s key', () => oidc({ clientKeyAccount: 'card' })],
    ['client’s key’s id', () => oidc({ clientKeyId: 'one' })],
    ['client’s certificate', () => oidc({ clientCertificateAccount: 'card' })],
    ['logins without a terminal', () => oidc({ loginWithoutTerminal: true })],
  ])('%s', (_name, changed) => {
    expect(accountShape(changed())).not.toBe(accountShape(oidc()));
  });

  test.each<[string, object, object]>([
    ['what a provider plugin gets', { credentialProvider: provider }, { credentialProvider: withTokens }],
    ['its annotations', { credentialProvider: withTokens }, { credentialProvider: withAnnotations }],
    ['token file', { staticToken: {} }, { staticToken: { file: '/run/token' } }],
    ['certificate file', { clientCertificate: {} }, { clientCertificate: { certificateFile: '/c' } }],
    ['key file', { clientCertificate: { keyFile: '/a' } }, { clientCertificate: { keyFile: '/b' } }],
  ])('%s', (_name, before, after) => {
    expect(accountShape(anAccount(after))).not.toBe(accountShape(anAccount(before)));
  });

  const card = { module: '/lib/p11.so', token: 'card', label: 'me' };
  test.each<[string, object]>([
    ['module', { ...card, module: '/lib/other.so' }],
    ['token', { ...card, token: 'other' }],
    ['serial number', { ...card, serial: '1' }],
    ['slot', { ...card, slot: 0 }],
    ['key', { ...card, label: 'other' }],
    ['key’s id', { ...card, id: '01' }],
    ['certificate', { ...card, certificate: '/c.pem' }],
    ['module’s variable', { ...card, env: [{ name: 'SOFTHSM2_CONF', value: '/evil' }] }],
    ['uri', { module: '/lib/p11.so', uri: 'pkcs11:token=card;object=me' }],
  ])('%s of a key on a token', (_name, changed) => {
    const shapeOf = (pkcs11: object) => accountShape(anAccount({ pkcs11 }));
    expect(shapeOf(changed)).not.toBe(shapeOf(card));
  });

  test('a key’s id counts by its bytes', () => {
    const shapeOf = (id: string) => accountShape(anAccount({ pkcs11: { ...card, id } }));
    expect(shapeOf('AB')).toBe(shapeOf('ab'));
  });

  test('a parameter’s and a header’s value count, not their order', () => {
    for (const key of ['extraParams', 'extraHeaders']) {
      const one = accountShape(oidc({ [key]: { a: '1', b: '2' } }));
      expect(accountShape(oidc({ [key]: { b: '2', a: '1' } }))).toBe(one);
      expect(accountShape(oidc({ [key]: { a: '1', b: '3' } }))).not.toBe(one);
    }
  });

  test('whom the provider should expect, and this machine’s own ports, don’t count', () => {
    expect(accountShape(oidc({ loginHint: 'bob@example.com', redirectPorts: [8000] }))).toBe(
      accountShape(oidc()),
    );
  });

  // As a vault of an earlier version has it: a default that became part of a shape would hold every account.
  test('what says nothing new has the shape that was confirmed before', () => {
    const defaults = { extraParams: {}, extraHeaders: {}, loginWithoutTerminal: false, redirectPorts: [] };
    for (const account of [oidc(), oidc(defaults), oidc({ flow: 'browser' })]) {
      expect(accountShape(account)).toBe(
        '{"clientId":"kubernetes","issuer":"https://id.example.com","kind":"oidc","scopes":["offline_access","openid"],"token":"id"}',
      );
    }
    expect(accountShape(anAccount({ staticToken: {} }))).toBe('{"kind":"staticToken"}');
    expect(accountShape(anAccount({ clientCertificate: {} }))).toBe('{"kind":"clientCertificate"}');
    expect(clusterShape(aCluster({ approval: 'never', withoutInfo: 'refuse' }))).toBe(
      '{"account":"corp","server":"https://10.0.0.1:6443"}',
    );
  });

  test('order of scopes and how the login is shown don’t count', () => {
    const one = oidc({ scopes: ['openid', 'groups'], flow: 'auto' });
    const other = oidc({ scopes: ['groups', 'openid'], flow: 'device' });
    expect(accountShape(one)).toBe(accountShape(other));
  });
});

describe('a cluster is another one when what decides about its credential is', () => {
  test.each<[string, () => LoadedCluster]>([
    ['server', () => aCluster({ server: 'https://10.0.0.2:6443' })],
    ['account', () => aCluster({ account: 'ops' })],
    ['CA', () => aCluster({}, ca)],
    ['name in the certificate', () => aCluster({ tlsServerName: 'evil' })],
    ['insecure', () => aCluster({ insecureSkipTlsVerify: true })],
    ['proxy', () => aCluster({ proxyUrl: 'http://evil:1' })],
    ['what its plugin is told of it', () => aCluster({ execConfig: { audience: 'evil' } })],
    ['arguments for its plugin', () => aCluster({ additionalArgs: ['--role=admin'] })],
    ['variables for its plugin', () => aCluster({ additionalEnv: [{ name: 'AWS_PROFILE', value: 'x' }] })],
    ['the request proxy', () => aCluster({ proxy: {} })],
    ['a step of its chain', () => aCluster({ proxy: { chain: [{ remove: 'X-A' }] } })],
    ['uncompressed answers', () => aCluster({ disableCompression: true })],
    ['requests without info', () => aCluster({ withoutInfo: 'allow' })],
    ['audience', () => aCluster({ audience: 'prod' })],
    ['approval', () => aCluster({ approval: 'always' })],
    ['approval for a time', () => aCluster({ approval: '15m' })],
  ])('%s', (_name, changed) => {
    expect(clusterShape(changed())).not.toBe(clusterShape(aCluster()));
  });

  test('each part of the profile that it is of counts', () => {
    const origin = { inventory: 'fleet', namespace: 'team', name: 'eu', uid: 'u', provider: 'eks' };
    const others = [{ inventory: 'other' }, { namespace: 'other' }, { name: 'us' }, { provider: 'gke' }];
    const shapes = [{}, ...others, { uid: 'made-again' }, { uid: null }].map((more) =>
      clusterShape({ ...aCluster(), origin: { ...origin, ...more } }),
    );
    expect(new Set([...shapes, clusterShape(aCluster())]).size).toBe(8);
  });

  test('the spelling of the server and of the CA’s text don’t count, its certificates do', () => {
    expect(clusterShape(aCluster({ server: 'https://10.0.0.1:6443/' }))).toBe(clusterShape(aCluster()));
    expect(clusterShape(aCluster({}, `# x\n${otherCa}${ca}`))).toBe(clusterShape(aCluster({}, ca + otherCa)));
    expect(clusterShape(aCluster({}, otherCa))).not.toBe(clusterShape(aCluster({}, ca)));
  });

  test('its shape is JSON with sorted keys and no defaults, so that a later version’s is the same', () => {
    expect(clusterShape(aCluster())).toBe('{"account":"corp","server":"https://10.0.0.1:6443"}');
    const none = { additionalArgs: [], additionalEnv: [], disableCompression: false };
    expect(clusterShape(aCluster(none))).toBe(clusterShape(aCluster()));
    expect(clusterShape(aCluster({ execConfig: { b: [1], a: null } }))).toBe(
      clusterShape(aCluster({ execConfig: { a: null, b: [1] } })),
    );
  });
});

describe('the idle lock', () => {
  const withLock = (afterIdle?: string) => ({
    ...config([], []),
    settings: { ...defaultSettings, lock: afterIdle === undefined ? {} : { afterIdle } },
  });

  test('that was never set is not pending, nor in an older vault', () => {
    expect(pendingChanges(withLock(), nothing)).toEqual([]);
    expect(pendingChanges(withLock(), shapesOf(withLock()))).toEqual([]);
  });

  test('new, changed or removed from the file is pending, with what was and is', () => {
    expect(pendingChanges(withLock('15m'), nothing)).toMatchObject([
      { what: 'setting', name: 'lock', change: 'changed', lines: ['+ afterIdle: 15m (applies now)'] },
    ]);
    const confirmed = shapesOf(withLock('15m'));
    expect(pendingChanges(withLock('15m'), confirmed)).toEqual([]);
    expect(pendingChanges(withLock('8h'), confirmed)).toMatchObject([
      { lines: ['- afterIdle: 15m', '+ afterIdle: 8h'] },
    ]);
    expect(pendingChanges(withLock(), confirmed)).toMatchObject([{ lines: ['- afterIdle: 15m'] }]);
  });

  test.each([
    ['a history that is kept for less', { history: { keep: '1s' } }, '+ keep: 1s'],
    ['metrics that are served', { metrics: { listen: '127.0.0.1:9464' } }, '+ listen: 127.0.0.1:9464'],
  ])('so is %s: the record is what all is seen by (rule: everything-recorded)', (_, changed, line) => {
    const now = { ...withLock(), settings: { ...defaultSettings, ...changed } };
    expect(pendingChanges(now, nothing)).toMatchObject([{ what: 'setting', lines: [line] }]);
    expect(pendingChanges(now, shapesOf(now))).toEqual([]);
    const { lock, history, metrics } = now.settings;
    expect(approvedSettings(shapesOf(now).settings)).toEqual({ lock, history, metrics });
  });

  test('looks, notifications and the update check need no approval', () => {
    const looks = {
      appearance: { theme: 'dark' as const },
      notifications: { questions: false, logins: false, ending: false, problems: false, changes: false },
      updates: { check: false },
    };
    expect(pendingChanges({ ...withLock(), settings: { ...defaultSettings, ...looks } }, nothing)).toEqual(
      [],
    );
  });

  test('what can’t be read of what was confirmed is the default', () => {
    const damaged = { lock: '[]', history: '{"keep":"for ever"}', metrics: 'x' };
    const { lock, history, metrics } = defaultSettings;
    expect(approvedSettings(damaged)).toEqual({ lock, history, metrics });
  });
});

describe('a plugin’s words are shown so that no two lists look alike', () => {
  const env = (of: object) => Object.entries(of).map(([name, value]) => ({ name, value }));
  const sh = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', interactiveMode: 'Never' };
  const plugin = (fields: object) => anAccount({ execPlugin: { ...sh, ...fields } });

  test.each<[string, object, object, string[]]>([
    [
      'arguments that are split anew',
      { args: ['-c', 'get token'] },
      { args: ['-c', 'get', 'token'] },
      [`- args: -c ${quoted('get token')}`, '+ args: -c get token'],
    ],
    ['an empty one more', { args: ['a'] }, { args: ['a', ''] }, ['- args: a', `+ args: a ${quoted('')}`]],
    [
      'a variable within another',
      { env: env({ A: '1 B=2' }) },
      { env: env({ A: '1', B: '2' }) },
      [`- env: ${quoted('A=1 B=2')}`, '+ env: A=1 B=2'],
    ],
    ['that clients get the proxy it starts', {}, { passProxyConfig: true }, ['+ passProxyConfig: true']],
  ])('%s', (_name, before, after, lines) => {
    const confirmed = shapesOf(config([plugin(before)], []));
    expect(pendingChanges(config([plugin(after)], []), confirmed)).toMatchObject([{ lines }]);
  });
});

describe('what is pending', () => {
  test('nothing right after all was confirmed', () => {
    const now = config([oidc()], [aCluster()]);
    expect(pendingChanges(now, shapesOf(now))).toEqual([]);
  });

  test('something new, with all it says', () => {
    const held = pendingChanges(config([oidc()], [aCluster({}, ca)]), nothing);
    expect(held).toMatchObject([
      { what: 'account', name: 'corp', change: 'new' },
      { what: 'cluster', name: 'prod', change: 'new' },
    ]);
    expect(held[0]?.lines).toContain('+ issuer: https://id.example.com');
    expect(held[1]?.lines).toContainEqual(
      expect.stringMatching(/^\+ certificateAuthority: SHA-256 [0-9A-F:]{95}, CN=cluster, expires /),
    );
  });

  test('a change, with what was and what is now', () => {
    const confirmed = shapesOf(config([oidc()], [aCluster()]));
    const changed = aCluster({ server: 'https://evil:1', withoutInfo: 'allow' });
    expect(pendingChanges(config([oidc()], [changed]), confirmed)).toMatchObject([
      {
        what: 'cluster',
        name: 'prod',
        change: 'changed',
        lines: ['- server: https://10.0.0.1:6443', '+ server: https://evil:1', '+ withoutInfo: allow'],
      },
    ]);
  });

  test('a chain, a line for each step that is not at its place any more', () => {
    const chainOf = (...chain: object[]) => config([oidc()], [aCluster({ proxy: { chain } })]);
    const linesOf = (before: LoadedConfig, now: LoadedConfig) =>
      pendingChanges(now, shapesOf(before))[0]?.lines;
    const [team, secret] = [
      { set: 'X-Team', value: 'blue' },
      { set: 'X-Secret', account: 'pair', scheme: 'Key' },
    ];
    const impersonate = { user: 'ann', uid: '7', groups: ['dev', 'a, b'], extra: { scopes: ['x', 'y'] } };
    expect(linesOf(config([oidc()], [aCluster()]), chainOf(team, { impersonate }))).toEqual([
      '+ proxy step 1: set X-Team: blue',
      `+ proxy step 2: impersonate ann, uid 7, groups dev ${quoted('a, b')}, extra scopes x y`,
      '+ proxy: true',
    ]);
    expect(linesOf(chainOf(team, secret), chainOf(secret, team))).toEqual([
      '- proxy step 1: set X-Team: blue',
      '- proxy step 2: set X-Secret from pair as Key',
      '+ proxy step 1: set X-Secret from pair as Key',
      '+ proxy step 2: set X-Team: blue',
    ]);
    expect(linesOf(chainOf(team, secret), chainOf(team))).toEqual([
      '- proxy step 2: set X-Secret from pair as Key',
    ]);
  });

  test('not what is gone', () => {
    const confirmed = shapesOf(config([oidc()], [aCluster()]));
    expect(pendingChanges(config([oidc()], []), confirmed)).toEqual([]);
  });

  test('a name that every object has is not taken for confirmed', () => {
    const held = pendingChanges(config([], [aCluster({}, null, 'constructor')]), nothing);
    expect(held).toMatchObject([{ name: 'constructor', change: 'new' }]);
  });

  test('a long value is shown whole: nothing of a change is hidden behind its length', () => {
    const scopes = Array.from({ length: 200 }, (_, index) => `aaaaaaaa${index}`);
    const confirmed = shapesOf(config([oidc({ scopes })], []));
    const [held] = pendingChanges(config([oidc({ scopes: [...scopes, 'zz-evil'] })], []), confirmed);
    expect(held?.lines.at(-1)).toMatch(/^\+ scopes: .* zz-evil$/);
    expect(held?.lines).toHaveLength(2);
  });

  test('a value can’t forge a line or turn the text around', () => {
    const [held] = pendingChanges(config([oidc({ clientId: 'x\n- issuer: y\u202e' })], []), nothing);
    expect(held?.lines).toContain('+ clientId: x\\u{a}- issuer: y\\u{202e}');
  });
});
