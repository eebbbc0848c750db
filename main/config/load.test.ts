import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCa, largeCaBundle } from '../../test/support/certificates.ts';
import { withoutModes } from '../../test/support/system.ts';
import { createCertificateReader } from '../domain/credential/certificate-set.ts';
import { describeProblem, loadConfigText } from './load.ts';

let folder: string;
let ca: string;
let caKey: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ly-load-'));
  const made = await createCa('cluster');
  [ca, caKey] = [made.certificatePem, made.keyPem];
  mkdirSync(join(folder, 'home'));
  mkdirSync(join(folder, 'folder.pem'));
  writeFileSync(join(folder, 'ca.pem'), ca);
  writeFileSync(join(folder, 'home', 'ca.pem'), ca);
  writeFileSync(join(folder, 'combined.pem'), `# ours\n${ca}${caKey}`);
  writeFileSync(join(folder, 'hello.pem'), 'hello');
  writeFileSync(join(folder, 'huge.pem'), `${ca}${'#'.repeat(1024 * 1024)}`);
  writeFileSync(join(folder, 'big.pem'), await largeCaBundle(made, 90 * 1024));
});

afterAll(() => rmSync(folder, { recursive: true }));

function load(text: string | null) {
  return loadConfigText(text, {
    file: join(folder, 'config.yaml'),
    homeDirectory: join(folder, 'home'),
    readCertificates: createCertificateReader(),
  });
}

/** `line:column severity message` of each problem. */
async function problemsOf(text: string): Promise<string[]> {
  const { problems } = await load(text);
  return problems.map(({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`);
}

const good = `version: 1
accounts:
  corp:
    oidc:
      issuer: https://id.example.com
      clientId: kubernetes
      flow: device
      scopes: [openid, offline_access, groups]
      token: id
      certificateAuthority: ./ca.pem
  ops: { clientCertificate: {} }
  files: { clientCertificate: { certificateFile: ops.pem, keyFile: /k/ops.key } }
  bot: { staticToken: { file: ~/token } }
clusters:
  prod:
    server: https://10.0.0.1:6443
    certificateAuthority: ~/ca.pem
    account: corp
    tlsServerName: api.example
    proxyUrl: socks5://127.0.0.1:1080
    withoutInfo: allow
    approval: never
  local: { server: "http://127.0.0.1:8001", account: bot, insecureSkipTlsVerify: false }
`;

test('a good file is loaded with defaults, absolute paths and its CAs', async () => {
  const { config, problems, certificateFiles } = await load(good);
  expect(problems).toEqual([]);
  expect(config?.accounts.get('corp')).toMatchObject({
    name: 'corp',
    config: { oidc: { certificateAuthority: join(folder, 'ca.pem'), flow: 'device' } },
    certificateAuthorityPem: ca.endsWith('\n') ? ca : `${ca}\n`,
  });
  expect(config?.accounts.get('bot')?.config).toEqual({
    staticToken: { file: join(folder, 'home', 'token') },
  });
  expect(config?.accounts.get('files')?.config).toEqual({
    clientCertificate: { certificateFile: join(folder, 'ops.pem'), keyFile: resolve('/k/ops.key') },
  });
  expect(config?.clusters.get('prod')?.certificateAuthorityPem).toContain('BEGIN CERTIFICATE');
  expect(config?.clusters.get('local')?.config).toMatchObject({ withoutInfo: 'refuse', approval: 'never' });
  expect(certificateFiles).toEqual([join(folder, 'ca.pem'), join(folder, 'home', 'ca.pem')]);
});

test.each([
  ['a missing file', null],
  ['a file with the version alone', 'version: 1\n'],
  ['groups left empty', 'version: 1\naccounts:\nclusters:\n'],
  ['JSON', '{"version": 1, "accounts": {}}'],
])('%s is an empty config', async (_name, text) => {
  const { config, problems } = await load(text);
  expect(problems).toEqual([]);
  expect([config?.accounts.size, config?.clusters.size]).toEqual([0, 0]);
});

test.each(['execPlugin', 'credentialProvider', 'awsProcess', 'requestSigner'])(
  'a relative command of the kind %s counts from the folder of config.yaml',
  async (kind) => {
    const version =
      kind === 'execPlugin'
        ? 'apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, '
        : kind === 'credentialProvider'
          ? 'apiVersion: credentialprovider.kubelet.k8s.io/v1, '
          : '';
    const { config } = await load(
      `version: 1\naccounts:\n  own:\n    ${kind}: { ${version}command: ./bin/own }\n`,
    );
    const command = join(folder, 'bin', 'own');
    expect(config?.accounts.get('own')?.config).toMatchObject({ [kind]: { command } });
  },
);

test.each([
  ['aws', 'aws'],
  ['/opt//aws', '/opt//aws'],
  ['/opt/../bin/aws', '/opt/../bin/aws'],
  ['/opt/aws/', '/opt/aws/'],
])(
  'a plugin’s command %s stays %s: the path that was looked at is the one that runs',
  async (command, expected) => {
    const plugin = `{ apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ${command} }`;
    const { config } = await load(`version: 1\naccounts:\n  eks:\n    execPlugin: ${plugin}\n`);
    expect(config?.accounts.get('eks')?.config).toMatchObject({ execPlugin: { command: expected } });
  },
);

/** One cluster p. */
const server = (url: string, more = '') =>
  `version: 1\naccounts: { a: { staticToken: {} } }\nclusters: { p: { server: ${url}, account: a${more} } }`;

describe('a problem is told with its place and what was expected', () => {
  const account = (text: string) => `version: 1\naccounts:\n  corp:\n    ${text}\n`;
  const oidc = (text: string) => account(`oidc: { issuer: "https://id.example", clientId: k, ${text} }`);
  const kinds =
    'oidc, staticToken, clientCertificate, execPlugin, registry, credentialProvider, credentialHelper, secretReader, kubeconfigSecretReader, aws, awsProcess, awsEks, requestSigner, pkcs11';
  const cluster = (text: string) =>
    `version: 1\naccounts: { corp: { staticToken: {} } }\nclusters:\n  prod: { server: "https://h", account: corp, ${text} }\n`;
  test.each<[string, string, ...string[]]>([
    [
      'a parameter that protects the login',
      oidc('extraParams: { audience: prod, state: x, redirect_uri: "https://evil.example" }'),
      '4:87 error accounts.corp.oidc.extraParams.state: is Lanyard’s own: it is made for each login',
      '4:97 error accounts.corp.oidc.extraParams.redirect_uri: is Lanyard’s own: use redirectUri',
    ],
    ...(
      [
        'https://127.0.0.1/callback',
        'http://id.example/callback',
        'http://127.0.0.1.evil.example',
        'http://a@127.0.0.1/callback',
        'http://127.0.0.1/callback?x=y',
        'http://127.0.0.1/../callback',
        'http://127.0.0.1:0',
      ] as const
    ).map((uri): [string, string, string] => [
      `${uri} as the way back`,
      oidc(`redirectUri: "${uri}"`),
      '4:69 error accounts.corp.oidc.redirectUri: expected http://127.0.0.1, http://[::1] or http://localhost, with a port or without, and a plain path',
    ]),
    [
      'one way back for two issuers',
      `${oidc('redirectUri: "http://localhost:8000"')}  two:\n    oidc: { issuer: "https://other.example", clientId: k, redirectUri: "http://127.0.0.1:8000/" }\n`,
      '6:72 warning accounts.two.oidc.redirectUri: corp has the same at another issuer; give each issuer its own path',
    ],
    [
      'kubelogin’s way back for two issuers: an import wrote it, and the providers take no other',
      `${oidc('redirectUri: "http://localhost"')}  two:\n    oidc: { issuer: "https://other.example", clientId: k, redirectUri: "http://localhost" }\n`,
    ],
    ['an empty file', '', '1:1 error expected a mapping that begins with `version: 1`'],
    ['no version', 'accounts: {}', '1:1 error version is missing; expected `version: 1`'],
    ['version as text', 'version: "1"', '1:10 error version: expected 1'],
    ['a newer version', 'version: 2', '1:10 error version: is of a newer Lanyard; this one knows 1'],
    ['a list', '- 1', '1:1 error expected a mapping that begins with `version: 1`'],
    ['accounts as a list', 'version: 1\naccounts: []', '2:11 error accounts: expected a mapping of names'],
    [
      'an account as text: it isn’t repeated',
      account('eyJhbGciOi'),
      `4:5 error accounts.corp: expected a mapping with one of ${kinds}`,
    ],
    ['an account without a kind', account('{}'), `3:3 error accounts.corp: expected one of ${kinds}`],
    [
      'a misspelled kind',
      account('odic: {}'),
      '4:5 error accounts.corp.odic: unknown kind of account (did you mean oidc?)',
    ],
    [
      'two kinds',
      account('{ staticToken: {}, clientCertificate: {} }'),
      '4:24 error accounts.corp.clientCertificate: an account has one kind; this one is staticToken already',
    ],
    [
      'a plugin of v1 that doesn’t say whether it may ask (KEP-541/interactive-mode)',
      account('execPlugin: { apiVersion: client.authentication.k8s.io/v1, command: aws }'),
      '4:17 error accounts.corp.execPlugin: interactiveMode is missing: client.authentication.k8s.io/v1 requires it (Never, IfAvailable or Always)',
    ],
    [
      'a plugin of v1alpha1 that is to be told a lock file (KEP-2718/passed-on)',
      account(
        'execPlugin: { apiVersion: client.authentication.k8s.io/v1alpha1, command: aws, passProxyConfig: true }',
      ),
      '4:101 error accounts.corp.execPlugin.passProxyConfig: client.authentication.k8s.io/v1alpha1 tells a plugin no lock file (KEP-2718): use v1 or v1beta1',
    ],
    [
      'a plugin of v1beta1 that doesn’t say whether it may ask (KEP-541/interactive-mode)',
      account('execPlugin: { apiVersion: client.authentication.k8s.io/v1beta1, command: aws }'),
    ],
    [
      'a plugin with a variable that would make it load something else',
      account(
        'execPlugin: { apiVersion: client.authentication.k8s.io/v1beta1, command: aws, env: [{ name: LD_PRELOAD, value: x }], environment: [NODE_OPTIONS] }',
      ),
      '4:97 error accounts.corp.execPlugin.env.0.name: makes programs load or run something else, and never reaches a plugin',
      '4:136 error accounts.corp.execPlugin.environment.0: makes programs load or run something else, and never reaches a plugin',
    ],
    [
      'an unknown key beside the kind',
      account('{ staticToken: {}, note: x }'),
      '4:24 warning accounts.corp.note: unknown key is ignored',
    ],
    [
      'a key with a character that turns the text around',
      account('{ staticToken: {}, "n\\u202eote\\e[2J": x }'),
      '4:24 warning accounts.corp."n\\u202eote\\u001b[2J": unknown key is ignored',
    ],
    [
      'an unknown key of a kind',
      oidc('scops: []'),
      '4:56 warning accounts.corp.oidc.scops: unknown key is ignored (did you mean scopes?)',
    ],
    [
      'audience of an account',
      oidc('audience: x'),
      '4:56 warning accounts.corp.oidc.audience: unknown key is ignored',
    ],
    [
      'an unknown flow',
      oidc('flow: carrier'),
      '4:62 error accounts.corp.oidc.flow: expected auto or browser or device or clientCredentials or serviceAccountToken',
    ],
    [
      'a secret',
      oidc('clientSecret: hunter2'),
      '4:56 error accounts.corp.oidc.clientSecret: config.yaml holds no secrets: use lanyard secret set corp/clientSecret',
    ],
    [
      'a token in the file',
      account('staticToken: { token: hunter2 }'),
      '4:20 error accounts.corp.staticToken.token: config.yaml holds no secrets: use lanyard secret set corp/token',
    ],
    [
      'a missing key',
      account('oidc: { issuer: "https://id.example" }'),
      '4:5 error accounts.corp.oidc.clientId: is missing; expected text',
    ],
    [
      'a number for text',
      account('oidc: { issuer: "https://id.example", clientId: 12 }'),
      '4:53 error accounts.corp.oidc.clientId: expected text, in quotes, not a number',
    ],
    [
      'nothing for text',
      account('oidc: { issuer: , clientId: k }'),
      '4:13 error accounts.corp.oidc.issuer: expected text, not nothing',
    ],
    [
      'a scope with a space',
      oidc('scopes: [openid, "a b"]'),
      '4:73 error accounts.corp.oidc.scopes.1: expected a scope: no space, quote or backslash',
    ],
    [
      'an issuer over http',
      account('oidc: { issuer: "http://id.example", clientId: k }'),
      '4:21 error accounts.corp.oidc.issuer: must be https: over plain http anyone on the way reads the credential (http is for loopback only)',
    ],
    [
      'an issuer that is no URL',
      account('oidc: { issuer: id.example, clientId: k }'),
      '4:21 error accounts.corp.oidc.issuer: expected an https:// URL',
    ],
    [
      'a name with a space',
      'version: 1\naccounts:\n  my corp: { staticToken: {} }\n',
      '3:3 error accounts."my corp": not a name; expected a letter or digit, then letters, digits and . _ @ : / -',
    ],
    [
      'an unknown top-level key',
      'version: 1\nacounts: {}\n',
      '2:1 warning acounts: unknown key is ignored (did you mean accounts?)',
    ],
    [
      'an unknown key of a cluster',
      cluster('aproval: always'),
      '4:47 error clusters.prod.aproval: unknown key (did you mean approval?)',
    ],
    [
      'an approval that is none',
      cluster('approval: sometimes'),
      '4:57 error clusters.prod.approval: expected never, always, perTerminal, or a time such as 15m',
    ],
    [
      'a flag as text',
      cluster('insecureSkipTlsVerify: "yes"'),
      '4:70 error clusters.prod.insecureSkipTlsVerify: expected true or false, not text',
    ],
    [
      'a CA beside the insecure flag',
      cluster('insecureSkipTlsVerify: true, certificateAuthority: ca.pem'),
      '4:70 error clusters.prod.insecureSkipTlsVerify: kubectl refuses a CA beside insecureSkipTlsVerify; leave one of them out',
    ],
    [
      'a proxy with a password',
      cluster('proxyUrl: "http://u:hunter2@p"'),
      '4:57 error clusters.prod.proxyUrl: must not hold a user name or password: config.yaml holds no secrets',
    ],
    ...['\\\\', '#', '?', '/'].map((sign): [string, string, string] => [
      `a proxy with ${sign} in its password`,
      cluster(`proxyUrl: "http://u:12${sign}hunter2@p"`),
      '4:57 error clusters.prod.proxyUrl: must not hold a user name or password: config.yaml holds no secrets',
    ]),
    [
      'a proxy that kubectl can’t use',
      cluster('proxyUrl: "unix:///p"'),
      '4:57 error clusters.prod.proxyUrl: expected an http://, https:// or socks5:// URL',
    ],
    [
      'a missing CA',
      cluster('certificateAuthority: no.pem'),
      '4:69 error clusters.prod.certificateAuthority: there is no file FOLDER/no.pem',
    ],
    [
      'a CA without a certificate',
      cluster('certificateAuthority: hello.pem'),
      '4:69 error clusters.prod.certificateAuthority: expected PEM certificates in FOLDER/hello.pem: there is no certificate in it',
    ],
    [
      'a CA that is too large',
      cluster('certificateAuthority: huge.pem'),
      '4:69 error clusters.prod.certificateAuthority: FOLDER/huge.pem is larger than 1048576 bytes, or growing',
    ],
    [
      'a CA that is a folder',
      cluster('certificateAuthority: folder.pem'),
      '4:69 error clusters.prod.certificateAuthority: FOLDER/folder.pem is not a file',
    ],
    [
      'an account that isn’t there',
      'version: 1\naccounts: { corp: { staticToken: {} } }\nclusters: { p: { server: "https://h", account: crop } }',
      '3:48 error clusters.p.account: there is no account crop (did you mean corp?)',
    ],
    [
      'a server over http',
      server('"http://10.0.0.1"'),
      '3:26 error clusters.p.server: must be https: over plain http anyone on the way reads the credential (http is for loopback only)',
    ],
    [
      'a server with a password',
      server('"https://u:hunter2@h"'),
      '3:26 error clusters.p.server: must not hold a user name or password: config.yaml holds no secrets',
    ],
    [
      'a server with a backslash',
      server('"https://u:12\\\\h"'),
      '3:26 error clusters.p.server: must not have a backslash',
    ],
    [
      'a server that looks like another',
      server('"https://\u0435xample.com"'),
      '3:26 error clusters.p.server: must be plain ASCII (xn--… for other letters): two addresses must not look the same',
    ],
    [
      'a server with a space',
      server('"https://h/a b"'),
      '3:26 error clusters.p.server: must not have spaces',
    ],
    ['a key twice', 'version: 1\nversion: 1\n', '2:1 error map keys must be unique'],
    [
      'bad YAML',
      'version: 1\naccounts: {\n',
      '3:1 error flow map in block collection must be sufficiently indented and end with a }',
    ],
    [
      'two documents',
      'version: 1\n---\nversion: 1\n',
      '2:1 error expected one document, without a second `---`',
    ],
  ])('%s', async (_name, text, ...expected) => {
    const found = (await problemsOf(text)).map((line) => line.replaceAll(folder + sep, 'FOLDER/'));
    expect(found).toEqual(expected);
    const { config } = await load(text);
    expect(config === null).toBe(expected.some((line) => line.includes(' error ')));
  });
});

test('several problems are told at once, in the file’s order', async () => {
  const found = await problemsOf(
    'version: 1\naccounts:\n  a: { oidc: {} }\n  b: {}\nclusters:\n  c: { server: x, account: d }\n',
  );
  expect(found.map((line) => line.split(':')[0])).toEqual(['3', '3', '4', '6', '6']);
});

test('no value is repeated in a problem: it may be a secret in the wrong place', async () => {
  const canary = 'hunter2-canary';
  const text = `version: ${canary}
accounts:
  a: ${canary}
  b: { staticToken: ${canary} }
  c: { staticToken: { token: ${canary}, file: [${canary}] } }
  d: { oidc: { issuer: ${canary}, clientId: { x: ${canary} }, flow: ${canary} } }
clusters:
  p: { server: "https://x:${canary}@h?${canary}", account: a, proxyUrl: "http://${canary}@h", approval: ${canary} }
`;
  const { problems } = await load(text);
  expect(problems.length).toBeGreaterThan(8);
  expect(problems.map(describeProblem).join('\n')).not.toContain(canary);
  const broken = await load(`version: 1\na: "${canary}\n`);
  expect(broken.problems.length).toBeGreaterThan(0);
  expect(broken.problems.map(describeProblem).join('\n')).not.toContain(canary);
});

test('a bomb of aliases is refused, a few aliases are fine', async () => {
  const bomb = ['version: 1', 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level++) {
    bomb.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
  }
  const { config, problems } = await load(bomb.join('\n'));
  expect(config).toBeNull();
  expect(problems).toMatchObject([
    { severity: 'error', line: null, message: expect.stringContaining('aliases') },
  ]);
  const fine = await load('version: 1\naccounts: { a: &a { staticToken: {} }, b: *a }\n');
  expect([...(fine.config?.accounts.keys() ?? [])]).toEqual(['a', 'b']);
  expect((await load('version: 1\naccounts: { a: *nobody }\n')).config).toBeNull();
});

test('a CA file may hold a key: the certificates alone are taken', async () => {
  const { config } = await load(server('"https://h"', ', certificateAuthority: combined.pem'));
  const pem = config?.clusters.get('p')?.certificateAuthorityPem;
  expect(pem).toContain('BEGIN CERTIFICATE');
  expect(pem).not.toContain('PRIVATE KEY');
});

test('a CA of 90 KB is loaded as it is', async () => {
  const { config, problems } = await load(server('"https://h"', ', certificateAuthority: big.pem'));
  expect(problems).toEqual([]);
  expect(config?.clusters.get('p')?.certificateAuthorityPem?.length).toBeGreaterThan(85 * 1024);
});

test('names that every object has are names like others', async () => {
  const { config, problems } = await load(
    'version: 1\naccounts: { constructor: { staticToken: {} } }\nclusters: { toString: { server: "https://h", account: constructor } }',
  );
  expect(problems).toEqual([]);
  expect(config?.clusters.get('toString')?.config.account).toBe('constructor');
  expect(await problemsOf('version: 1\nclusters: { p: { server: "https://h", account: valueOf } }')).toEqual([
    '2:48 error clusters.p.account: there is no account valueOf',
  ]);
});

test('a problem’s place is written so that editors and terminals open it', async () => {
  const { problems } = await load('version: 2');
  expect(problems.map(describeProblem)).toEqual([
    `${join(folder, 'config.yaml')}:1:10: error: version: is of a newer Lanyard; this one knows 1`,
  ]);
});

test.skipIf(withoutModes)('a CA that may not be read is told with the reason', async () => {
  const file = join(folder, 'closed.pem');
  writeFileSync(file, ca);
  chmodSync(file, 0o000);
  expect(await problemsOf(server('"https://h"', ', certificateAuthority: closed.pem'))).toEqual([
    expect.stringContaining('EACCES'),
  ]);
});

test('of thousands of problems the first are told, errors before warnings', async () => {
  const unknown = Array.from({ length: 3000 }, (_, index) => `k${index}: 1`).join('\n');
  const { config, problems } = await load(`version: 1\n${unknown}\naccounts: 7\n`);
  expect(config).toBeNull();
  expect(problems).toHaveLength(100);
  expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
});
