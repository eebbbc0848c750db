import { expect, test } from 'vitest';
import { defaultSettings } from '../../contract/config/settings.ts';
import { accountShape, clusterShape, settingShapes } from '../../domain/approval/cluster-shape.ts';
import { inventoryShape } from '../../domain/approval/inventory-shape.ts';
import { registryShape } from '../../domain/approval/registry-shape.ts';
import {
  loadedAccount,
  loadedCluster,
  loadedInventory,
  loadedRegistry,
} from '../../domain/testing/loaded.ts';
import { risksOf } from './pending-risk.ts';

type Row = [what: string, before: object | null, after: object, risks: string[]];

/** The risks of what changes from one shape to another; null: it is new. */
const check =
  (what: Parameters<typeof risksOf>[0]['what'], shapeOf: (fields: object) => string) =>
  (_: string, before: object | null, after: object, risks: string[]) => {
    expect(risksOf({ what, before: before && shapeOf(before), after: shapeOf(after) })).toEqual(risks);
  };

const anAccount = (config: object) => accountShape(loadedAccount('corp', config));
const oidc = (fields: object) => anAccount({ oidc: { issuer: 'https://id', clientId: 'k8s', ...fields } });
const browser = ['sh', '-c', 'true'];

const otherKey = 'Uses another key';

test.each<Row>([
  ['a browser of its own', {}, { browser }, ['Runs a program']],
  ['a new account with one', null, { browser }, ['Runs a program']],
  ['another browser', { browser: ['firefox'] }, { browser }, ['Runs a program in another way']],
  ['the system’s browser again', { browser }, {}, []],
  ['a file that goes to the provider', {}, { clientAssertionFile: '/t' }, ['Reads another file']],
  ['another one', { clientAssertionFile: '/s' }, { clientAssertionFile: '/t' }, ['Reads another file']],
  ['a key on a token', {}, { clientKeyAccount: 'card' }, [otherKey]],
  ['another id of it', { clientKeyId: 'a' }, { clientKeyId: 'b' }, [otherKey]],
  ['another certificate', { clientCertificateAccount: 'a' }, { clientCertificateAccount: 'b' }, [otherKey]],
  ['one more scope', { scopes: ['a'] }, { scopes: ['a', 'b'] }, ['Requests more scopes']],
  ['no scope: the provider’s own', { scopes: ['a'] }, { scopes: [] }, ['Requests more scopes']],
  [
    'none of the client’s: the provider’s own',
    { flow: 'clientCredentials', scopes: ['openid', 'a'] },
    { flow: 'clientCredentials', scopes: ['openid'] },
    ['Requests more scopes'],
  ],
  ['fewer scopes', { scopes: ['a', 'b'] }, { scopes: ['a'] }, []],
])('an account, %s', check('account', oidc));

const reader = { cluster: 'hub', namespace: 'fleet' };
const otherSecrets = 'Reads other Secrets';

const eks = { account: 'work', cluster: 'prod', region: 'eu-west-1' };
const otherKeys = 'Uses other AWS keys';
const role = 'arn:aws:iam::123456789012:role/deploy';
const web = { tokenFile: '/t', role, region: 'eu-west-1' };
const stsEndpoint = 'https://sts.example.com';

test.each<Row>([
  ['a new key', null, { aws: { profile: 'a' } }, []],
  ['another profile', { aws: { profile: 'a' } }, { aws: { profile: 'b' } }, [otherKeys]],
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
    ['Assumes a role', otherKeys, 'Asks STS at another address'],
  ],
  ['new tokens', null, { awsEks: eks }, []],
  ['tokens of a role', { awsEks: eks }, { awsEks: { ...eks, role } }, ['Assumes a role']],
  ['of other keys', { awsEks: eks }, { awsEks: { ...eks, account: 'other' } }, [otherKeys]],
  [
    'for another cluster',
    { awsEks: eks },
    { awsEks: { ...eks, cluster: 'x' } },
    ['Makes tokens for another cluster'],
  ],
  ['new program', null, { awsProcess: { command: 'aws' } }, ['Runs a program']],
])('AWS keys, %s', check('account', anAccount));

const card = { module: '/lib/p11.so', token: 'card' };
const loads = ['Loads a library that sees your PIN'];

test.each<Row>([
  ['a new one', null, card, loads],
  ['another module', card, { ...card, module: '/lib/other.so' }, loads],
  ['another variable', card, { ...card, env: [{ name: 'A', value: 'b' }] }, loads],
  ['another token', card, { ...card, token: 'other' }, [otherKey]],
  ['another key', card, { ...card, id: '01' }, [otherKey]],
  ['another certificate', card, { ...card, certificate: '/c.pem' }, [otherKey]],
  ['any key again', { ...card, label: 'me' }, card, [otherKey]],
  ['the same', card, card, []],
])(
  'a key on a token, %s',
  check('account', (pkcs11) => anAccount({ pkcs11 })),
);

test('a key on a token in place of a token is a library, too', () => {
  const change = { before: anAccount({ staticToken: {} }), after: anAccount({ pkcs11: card }) };
  expect(risksOf({ what: 'account', ...change })).toEqual(loads);
});

test.each<Row>([
  ['new', null, { secretReader: reader }, ['Reads Secrets of a cluster']],
  ['in place of a token', { staticToken: {} }, { secretReader: reader }, ['Reads Secrets of a cluster']],
  [
    'another hub',
    { secretReader: reader },
    { secretReader: { ...reader, cluster: 'other' } },
    [otherSecrets],
  ],
  [
    'another namespace',
    { kubeconfigSecretReader: reader },
    { kubeconfigSecretReader: { ...reader, namespace: 'other' } },
    [otherSecrets],
  ],
  ['another key', { secretReader: reader }, { secretReader: { ...reader, key: 'other' } }, [otherSecrets]],
  ['kubeconfigs', { secretReader: reader }, { kubeconfigSecretReader: reader }, [otherSecrets]],
  ['its cache', { secretReader: reader }, { secretReader: { ...reader, cacheSeconds: 60 } }, []],
  [
    'its key as it is by default',
    { secretReader: reader },
    { secretReader: { ...reader, key: 'token' } },
    [],
  ],
])('an account that reads Secrets, %s', check('account', anAccount));

const clusterOf = (fields: object) => clusterShape(loadedCluster('prod', { account: 'eks', ...fields }));
const additionalArgs = ['--role=admin'];
const additionalEnv = [{ name: 'AWS_PROFILE', value: 'admin' }];
const adds = 'Adds arguments to the plugin';
const setsVariables = 'Sets variables of the plugin';
const anotherWay = 'Sends requests another way';
const changesRequests = 'Changes what is sent with each request';
const chainOf = (...chain: object[]) => ({ proxy: { chain } });

test.each<Row>([
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
  ['another server', {}, { server: 'https://evil' }, ['Sends credentials to another server']],
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
])('a cluster, %s', check('cluster', clusterOf));

const registryOf = (fields: object) =>
  registryShape(loadedRegistry('ghcr', { matchImages: ['ghcr.io'], ...fields }));
const tokenServers = ['auth.example.com'];
const elsewhere = 'Sends credentials to a token server at another host';

test.each<Row>([
  ['with a token server', null, { tokenServers }, [elsewhere]],
  ['without one', null, {}, []],
  ['one more', { tokenServers }, { tokenServers: [...tokenServers, 'evil.example'] }, [elsewhere]],
  ['another', { tokenServers }, { tokenServers: ['evil.example'] }, [elsewhere]],
  ['the same in another order', { tokenServers: ['b', 'a'] }, { tokenServers: ['a', 'b'] }, []],
  ['none any more', { tokenServers }, {}, []],
  ['another registry', {}, { matchImages: ['quay.io'] }, ['Sends credentials to other registries']],
])('a registry, %s', check('registry', registryOf));

test.each<['lock' | 'history', object, string[]]>([
  ['lock', { biometrics: 'never' }, ['Changes a security setting']],
  ['lock', { biometrics: 'always', afterIdle: '15m' }, []],
  ['history', { keep: '1h' }, ['Changes a security setting']],
])('the setting %s as it never was said, %j', (name, value, risks) => {
  const shapes = (settings: object) => settingShapes({ ...defaultSettings, ...settings })[name] ?? '';
  expect(risksOf({ what: 'setting', before: shapes({}), after: shapes({ [name]: value }) })).toEqual(risks);
});

const provider = { name: 'eks', account: 'corp' };
const inventoryOf = (fields: object) =>
  inventoryShape(loadedInventory('fleet', { providers: [provider], ...fields }));
const of = (fields: object) => ({ providers: [{ ...provider, ...fields }] });
const letsArguments = 'Lets profiles add arguments to the plugin';
const letsVariables = 'Lets profiles set variables of the plugin';

test.each<Row>([
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
])('an inventory, %s', check('inventory', inventoryOf));
