import { expect, test } from 'vitest';
import { account } from '../../contract/config/accounts/account.ts';
import { cluster } from '../../contract/config/cluster.ts';
import { inventory } from '../../contract/config/inventory.ts';
import { registry } from '../../contract/config/registry.ts';
import { defaultSettings } from '../../contract/config/settings.ts';
import { accountShape, clusterShape, settingShapes } from '../../domain/approval/cluster-shape.ts';
import { inventoryShape } from '../../domain/approval/inventory-shape.ts';
import { registryShape } from '../../domain/approval/registry-shape.ts';
import { risksOf } from './pending-risk.ts';

const oidc = (fields: object) =>
  accountShape({
    name: 'corp',
    config: account.parse({ oidc: { issuer: 'https://id', clientId: 'k8s', ...fields } }),
    certificateAuthorityPem: null,
  });
const browser = ['sh', '-c', 'true'];

test.each<[string, object | null, object, string[]]>([
  ['a browser of its own', {}, { browser }, ['Runs a program']],
  ['a new account with one', null, { browser }, ['Runs a program']],
  ['another browser', { browser: ['firefox'] }, { browser }, ['Runs a program in another way']],
  ['the system’s browser again', { browser }, {}, []],
  ['a file that goes to the provider', {}, { clientAssertionFile: '/t' }, ['Reads another file']],
  ['another one', { clientAssertionFile: '/s' }, { clientAssertionFile: '/t' }, ['Reads another file']],
  ['a key on a token', {}, { clientKeyAccount: 'card' }, ['Uses another key']],
  ['another id of it', { clientKeyId: 'a' }, { clientKeyId: 'b' }, ['Uses another key']],
  [
    'another certificate',
    { clientCertificateAccount: 'a' },
    { clientCertificateAccount: 'b' },
    ['Uses another key'],
  ],
  ['one more scope', { scopes: ['a'] }, { scopes: ['a', 'b'] }, ['Requests more scopes']],
  ['no scope: the provider’s own', { scopes: ['a'] }, { scopes: [] }, ['Requests more scopes']],
  [
    'none of the client’s: the provider’s own',
    { flow: 'clientCredentials', scopes: ['openid', 'a'] },
    { flow: 'clientCredentials', scopes: ['openid'] },
    ['Requests more scopes'],
  ],
  ['fewer scopes', { scopes: ['a', 'b'] }, { scopes: ['a'] }, []],
])('an account, %s', (_, before, after, risks) => {
  const change = { what: 'account', before: before && oidc(before), after: oidc(after) } as const;
  expect(risksOf(change)).toEqual(risks);
});

const anAccount = (config: object) =>
  accountShape({ name: 'fleet', config: account.parse(config), certificateAuthorityPem: null });
const reader = { cluster: 'hub', namespace: 'fleet' };

const eks = { account: 'work', cluster: 'prod', region: 'eu-west-1' };
const role = 'arn:aws:iam::123456789012:role/deploy';
const web = { tokenFile: '/t', role, region: 'eu-west-1' };
const stsEndpoint = 'https://sts.example.com';

test.each<[string, object | null, object, string[]]>([
  ['a new key', null, { aws: { profile: 'a' } }, []],
  ['another profile', { aws: { profile: 'a' } }, { aws: { profile: 'b' } }, ['Uses other AWS keys']],
  [
    'a key in place of a token',
    { staticToken: {} },
    { aws: { profile: 'a' } },
    ['Logs in at another place or in another way'],
  ],
  ['a new role', null, { aws: { webIdentity: web } }, ['Assumes a role']],
  [
    'another role, token and STS',
    { aws: { webIdentity: web } },
    { aws: { webIdentity: { ...web, tokenFile: '/u', role: `${role}2`, stsEndpoint } } },
    ['Assumes a role', 'Uses other AWS keys', 'Asks STS at another address'],
  ],
  ['new tokens', null, { awsEks: eks }, []],
  ['tokens of a role', { awsEks: eks }, { awsEks: { ...eks, role } }, ['Assumes a role']],
  ['of other keys', { awsEks: eks }, { awsEks: { ...eks, account: 'other' } }, ['Uses other AWS keys']],
  [
    'for another cluster',
    { awsEks: eks },
    { awsEks: { ...eks, cluster: 'x' } },
    ['Makes tokens for another cluster'],
  ],
  ['new program', null, { awsProcess: { command: 'aws' } }, ['Runs a program']],
])('AWS keys, %s', (_, before, after, risks) => {
  const change = { what: 'account', before: before && anAccount(before), after: anAccount(after) } as const;
  expect(risksOf(change)).toEqual(risks);
});

const card = { module: '/lib/p11.so', token: 'card' };
const loads = ['Loads a library that sees your PIN'];

test.each<[string, object | null, object, string[]]>([
  ['a new one', null, card, loads],
  ['another module', card, { ...card, module: '/lib/other.so' }, loads],
  ['another variable', card, { ...card, env: [{ name: 'A', value: 'b' }] }, loads],
  ['another token', card, { ...card, token: 'other' }, ['Uses another key']],
  ['another key', card, { ...card, id: '01' }, ['Uses another key']],
  ['another certificate', card, { ...card, certificate: '/c.pem' }, ['Uses another key']],
  ['any key again', { ...card, label: 'me' }, card, ['Uses another key']],
  ['the same', card, card, []],
])('a key on a token, %s', (_, before, after, risks) => {
  const shapeOf = (pkcs11: object) => anAccount({ pkcs11 });
  const change = { what: 'account', before: before && shapeOf(before), after: shapeOf(after) } as const;
  expect(risksOf(change)).toEqual(risks);
});

test('a key on a token in place of a token is a library, too', () => {
  const change = { before: anAccount({ staticToken: {} }), after: anAccount({ pkcs11: card }) };
  expect(risksOf({ what: 'account', ...change })).toEqual(loads);
});

test.each<[string, object | null, object, string[]]>([
  ['new', null, { secretReader: reader }, ['Reads Secrets of a cluster']],
  ['in place of a token', { staticToken: {} }, { secretReader: reader }, ['Reads Secrets of a cluster']],
  [
    'another hub',
    { secretReader: reader },
    { secretReader: { ...reader, cluster: 'other' } },
    ['Reads other Secrets'],
  ],
  [
    'another namespace',
    { kubeconfigSecretReader: reader },
    { kubeconfigSecretReader: { ...reader, namespace: 'other' } },
    ['Reads other Secrets'],
  ],
  [
    'another key',
    { secretReader: reader },
    { secretReader: { ...reader, key: 'other' } },
    ['Reads other Secrets'],
  ],
  ['kubeconfigs', { secretReader: reader }, { kubeconfigSecretReader: reader }, ['Reads other Secrets']],
  ['its cache', { secretReader: reader }, { secretReader: { ...reader, cacheSeconds: 60 } }, []],
  [
    'its key as it is by default',
    { secretReader: reader },
    { secretReader: { ...reader, key: 'token' } },
    [],
  ],
])('an account that reads Secrets, %s', (_, before, after, risks) => {
  const change = { what: 'account', before: before && anAccount(before), after: anAccount(after) } as const;
  expect(risksOf(change)).toEqual(risks);
});

const clusterOf = (fields: object) =>
  clusterShape({
    name: 'prod',
    config: cluster.parse({ server: 'https://prod', account: 'eks', ...fields }),
    certificateAuthorityPem: null,
  });
const additionalArgs = ['--role=admin'];
const additionalEnv = [{ name: 'AWS_PROFILE', value: 'admin' }];
const adds = 'Adds arguments to the plugin';
const setsVariables = 'Sets variables of the plugin';
const anotherWay = 'Sends requests another way';
const changesRequests = 'Changes what is sent with each request';
const chainOf = (...chain: object[]) => ({ proxy: { chain } });

test.each<[string, object | null, object, string[]]>([
  ['new, with arguments for its plugin', null, { additionalArgs }, [adds]],
  ['new, with variables', null, { additionalEnv }, [setsVariables]],
  ['arguments', {}, { additionalArgs }, [adds, 'Sends another credential']],
  ['other ones', { additionalArgs: ['a'] }, { additionalArgs }, [adds, 'Sends another credential']],
  ['variables', {}, { additionalEnv }, [setsVariables, 'Sends another credential']],
  ['no arguments any more', { additionalArgs }, {}, ['Sends another credential']],
  ['the same arguments', { additionalArgs }, { additionalArgs, disableCompression: true }, []],
  ['no request proxy any more', { proxy: {} }, {}, [anotherWay]],
  ['a request proxy', {}, { proxy: {} }, [anotherWay]],
  [
    'another way in for clients that know KEP-2718',
    { proxy: {} },
    { proxy: { proxyConfig: { listen: 'tls' } } },
    ['Lets clients in another way'],
  ],
  [
    'another idle time of it',
    { proxy: { proxyConfig: { listen: 'tls' } } },
    { proxy: { proxyConfig: { listen: 'tls', idle: '1h' } } },
    [],
  ],
  ['cookies', { proxy: {} }, { proxy: { cookies: 'pass' } }, ['Passes cookies between client and server']],
  ['no cookies any more', { proxy: { cookies: 'pass' } }, { proxy: { cookies: 'strip' } }, []],
  ['new, with a header', null, chainOf({ set: 'X-A', value: 'from b' }), [changesRequests]],
  [
    'new, with an account’s header',
    null,
    chainOf({ set: 'X-A', account: 'pair' }),
    [changesRequests, 'Sends further credentials'],
  ],
  [
    'an impersonation after a header',
    chainOf({ set: 'X-A', account: 'pair' }),
    chainOf({ set: 'X-A', account: 'pair' }, { impersonate: { user: 'root' } }),
    [changesRequests, 'Impersonates another user'],
  ],
  [
    'steps that sign, one with the credentials',
    chainOf({ remove: 'X-A' }),
    chainOf(
      { remove: 'X-A' },
      { sign: 'keys', service: 'execute-api', region: 'eu-west-1' },
      { sign: 'team/mine', credentials: true },
    ),
    [
      changesRequests,
      'Signs requests with keys',
      'Signs requests with team/mine',
      'Lets a program see the credentials of requests',
    ],
  ],
  [
    'a step that signs, as before',
    chainOf({ sign: 'mine', credentials: true }),
    chainOf({ remove: 'X-A' }, { sign: 'mine', credentials: true }),
    [changesRequests],
  ],
  [
    'fewer steps',
    chainOf({ remove: 'X-A' }, { remove: 'X-B' }),
    chainOf({ remove: 'X-A' }),
    [changesRequests],
  ],
])('a cluster, %s', (_, before, after, risks) => {
  const change = { what: 'cluster', before: before && clusterOf(before), after: clusterOf(after) } as const;
  expect(risksOf(change)).toEqual(risks);
});

const registryOf = (fields: object) =>
  registryShape({
    name: 'ghcr',
    config: registry.parse({ matchImages: ['ghcr.io'], account: 'bot', ...fields }),
    certificateAuthorityPem: null,
  });
const tokenServers = ['auth.example.com'];
const elsewhere = 'Sends credentials to a token server at another host';

test.each<[string, object | null, object, string[]]>([
  ['with a token server', null, { tokenServers }, [elsewhere]],
  ['without one', null, {}, []],
  ['one more', { tokenServers }, { tokenServers: [...tokenServers, 'evil.example'] }, [elsewhere]],
  ['another', { tokenServers }, { tokenServers: ['evil.example'] }, [elsewhere]],
  ['the same in another order', { tokenServers: ['b', 'a'] }, { tokenServers: ['a', 'b'] }, []],
  ['none any more', { tokenServers }, {}, []],
  ['another registry', {}, { matchImages: ['quay.io'] }, ['Sends credentials to other registries']],
])('a registry, %s', (_, before, after, risks) => {
  const change = {
    what: 'registry',
    before: before && registryOf(before),
    after: registryOf(after),
  } as const;
  expect(risksOf(change)).toEqual(risks);
});

test.each<['lock' | 'history', object, string[]]>([
  ['lock', { biometrics: 'never' }, ['Changes a security setting']],
  ['lock', { biometrics: 'always', afterIdle: '15m' }, []],
  ['history', { keep: '1h' }, ['Changes a security setting']],
])('the setting %s as it never was said, %j', (name, value, risks) => {
  const shapes = (settings: object) => settingShapes({ ...defaultSettings, ...settings })[name] ?? '';
  expect(risksOf({ what: 'setting', before: shapes({}), after: shapes({ [name]: value }) })).toEqual(risks);
});

const provider = { name: 'eks', account: 'corp' };
const inventoryOf = (fields: { providers?: object[] }) =>
  inventoryShape({
    name: 'fleet',
    config: inventory.parse({ cluster: 'hub', providers: [provider], ...fields }),
    certificateAuthorityPem: null,
  });
const of = (fields: object) => ({ providers: [{ ...provider, ...fields }] });
const letsArguments = 'Lets profiles add arguments to the plugin';
const letsVariables = 'Lets profiles set variables of the plugin';

test.each<[string, object | null, object, string[]]>([
  ['new', null, {}, []],
  ['new, with arguments of profiles', null, of({ profileSourcedCLIArgsPolicy: 'Append' }), [letsArguments]],
  ['with variables of profiles', {}, of({ profileSourcedEnvVarsPolicy: 'Replace' }), [letsVariables]],
  [
    'one more variable',
    of({ allowedEnvVars: ['A'] }),
    of({ allowedEnvVars: ['A', 'AWS_CONFIG_FILE'] }),
    [letsVariables],
  ],
  ['a variable less', of({ allowedEnvVars: ['A', 'B'] }), of({ allowedEnvVars: ['A'] }), []],
  ['new and trusted', null, { trusted: true }, ['Approves changed servers without asking']],
  ['no more trusted', { trusted: true }, {}, []],
  ['another hub', {}, { cluster: 'evil' }, ['Takes clusters from elsewhere']],
  ['one namespace', {}, { namespaces: ['a'] }, ['Takes clusters from elsewhere']],
  ['one more server', { servers: ['a.b'] }, { servers: ['a.b', '*.c'] }, ['Expects other servers']],
  ['a server less', { servers: ['a.b', '*.c'] }, { servers: ['a.b'] }, []],
  ['servers of a provider', {}, of({ servers: ['a.b'] }), ['Expects other servers']],
  [
    'a rewrite',
    null,
    { serverRewrites: [{ from: 'https://a', to: 'https://b' }] },
    ['Sends credentials to another server'],
  ],
  ['another account', {}, of({ account: 'ops' }), ['Sends another credential']],
  ['an audience', {}, of({ audience: '{name}' }), ['Sends another credential']],
  [
    'another order of providers',
    { providers: [provider, { name: 'gke', account: 'corp' }] },
    { providers: [{ name: 'gke', account: 'corp' }, provider] },
    ['Sends another credential'],
  ],
  ['another selector and names', {}, { select: 'env=prod', contextName: '{namespace}-{name}' }, []],
])('an inventory, %s', (_, before, after, risks) => {
  const change = {
    what: 'inventory',
    before: before && inventoryOf(before),
    after: inventoryOf(after),
  } as const;
  expect(risksOf(change)).toEqual(risks);
});
