import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCa } from '../../test/support/certificates.ts';
import { createCertificateReader } from '../domain/credential/certificate-set.ts';
import { loadConfigText } from './load.ts';

let folder: string;
let ca: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ly-load-'));
  const made = await createCa('cluster');
  ca = made.certificatePem;
  writeFileSync(join(folder, 'ca.pem'), ca);
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(text: string) {
  return loadConfigText(text, {
    file: join(folder, 'config.yaml'),
    homeDirectory: folder,
    readCertificates: createCertificateReader(),
  });
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const oidc = (text: string) =>
  `version: 1\naccounts:\n  corp:\n    oidc: { issuer: "https://id.example", clientId: k, ${text} }\n`;
const cluster = (text: string, kind = 'oidc: { issuer: "https://id.example", clientId: k }') =>
  `version: 1\naccounts: { corp: { ${kind} } }\nclusters:\n  prod: { server: "https://h", account: corp, ${text} }\n`;
const setting = (text: string) => `version: 1\n${text}\n`;

/** Line, severity and text of each problem, with the key or value that the place points at. */
async function problemsOf(text: string): Promise<string[]> {
  const { config, problems } = await load(text);
  expect(config === null).toBe(problems.some(({ severity }) => severity === 'error'));
  const lines = text.split('\n');
  return problems.map(({ line, column, severity, message }) => {
    const at = (lines[(line ?? 1) - 1] ?? '').slice((column ?? 1) - 1).split(/[\s,}\]]/)[0];
    return `${severity} at ${at}: ${message}`;
  });
}

describe('a CA as data', () => {
  test('counts like a file, of an account and of a cluster', async () => {
    const data = base64(`# ours\n${ca}`);
    const ofAccount = await load(oidc(`certificateAuthorityData: ${data}`));
    expect(ofAccount.problems).toEqual([]);
    const byFile = await load(oidc('certificateAuthority: ca.pem'));
    const pem = byFile.config?.accounts.get('corp')?.certificateAuthorityPem;
    expect(pem).toContain('BEGIN CERTIFICATE');
    expect(ofAccount.config?.accounts.get('corp')?.certificateAuthorityPem).toBe(pem);
    const ofCluster = await load(cluster(`certificateAuthorityData: ${data}`));
    expect(ofCluster.config?.clusters.get('prod')?.certificateAuthorityPem).toBe(pem);
    expect(ofCluster.certificateFiles).toEqual([]);
  });

  test.each([
    ['an account', oidc, 'accounts.corp.oidc'],
    ['a cluster', cluster, 'clusters.prod'],
  ])('of %s: each fault with its place', async (_, of, where) => {
    const key = `${where}.certificateAuthorityData`;
    expect(await problemsOf(of('certificateAuthorityData: "no!base64"'))).toEqual([
      `error at "no!base64": ${key}: expected a valid value: invalid base64-encoded string`,
    ]);
    const hello = base64('hello');
    expect(await problemsOf(of(`certificateAuthorityData: ${hello}`))).toEqual([
      `error at ${hello}: ${key}: expected base64 of PEM certificates: there is no certificate in it`,
    ]);
    expect(await problemsOf(of('certificateAuthorityData: ""'))).toEqual([
      expect.stringContaining(`error at "": ${key}: `),
    ]);
    const data = base64(ca);
    expect(await problemsOf(of(`certificateAuthority: ca.pem, certificateAuthorityData: ${data}`))).toEqual([
      `error at ${data}: ${key}: there is certificateAuthority already; leave one of them out`,
    ]);
  });

  test('of a cluster stands beside no insecure flag', async () => {
    const text = cluster(`insecureSkipTlsVerify: true, certificateAuthorityData: ${base64(ca)}`);
    expect(await problemsOf(text)).toEqual([
      'error at true: clusters.prod.insecureSkipTlsVerify: kubectl refuses a CA beside insecureSkipTlsVerify; leave one of them out',
    ]);
  });
});

describe('the settings', () => {
  test('say nothing by default, and may be left empty', async () => {
    const unsaid = {
      lock: {},
      history: { keep: '90d' },
      metrics: {},
      appearance: { theme: 'system' },
      notifications: { questions: true, logins: true, ending: true, problems: true, changes: true },
      updates: { check: true },
      terminal: {},
    };
    const names = Object.keys(unsaid);
    for (const text of [
      '',
      names.map((name) => `${name}:`).join('\n'),
      names.map((name) => `${name}: {}`).join('\n'),
    ]) {
      const { config, problems } = await load(setting(text));
      expect(problems).toEqual([]);
      expect(config?.settings).toEqual(unsaid);
    }
    const { config } = await load(
      setting(
        'lock: { afterIdle: 15m }\nhistory: { keep: 7d }\nmetrics: { listen: "[::1]:9464" }\nappearance: { theme: dark }\nnotifications: { logins: false }\nupdates: { check: false }\nterminal: { command: [kitty, --hold] }',
      ),
    );
    expect(config?.settings).toEqual({
      lock: { afterIdle: '15m' },
      history: { keep: '7d' },
      metrics: { listen: '[::1]:9464' },
      appearance: { theme: 'dark' },
      notifications: { questions: true, logins: false, ending: true, problems: true, changes: true },
      updates: { check: false },
      terminal: { command: ['kitty', '--hold'] },
    });
  });

  const duration = 'expected a number with s, m, h or d, such as 15m';
  test.each<[string, string, string]>([
    [
      'an unknown key of lock',
      'lock: { afteridle: 15m }',
      'error at afteridle:: lock.afteridle: unknown key (did you mean afterIdle?)',
    ],
    ['an unknown key of history', 'history: { days: 3 }', 'error at days:: history.days: unknown key'],
    ['an unknown key of metrics', 'metrics: { port: 1 }', 'error at port:: metrics.port: unknown key'],
    ['a time without a unit', 'lock: { afterIdle: "15" }', `error at "15": lock.afterIdle: ${duration}`],
    ['a time of none', 'lock: { afterIdle: 0m }', `error at 0m: lock.afterIdle: ${duration}`],
    ['a time in weeks', 'history: { keep: 2w }', `error at 2w: history.keep: ${duration}`],
    ['a time below none', 'history: { keep: -1d }', `error at -1d: history.keep: ${duration}`],
    ['a section that is text', 'lock: 15m', 'error at 15m: lock: expected a mapping of keys, not text'],
    [
      'an address for all the world',
      'metrics: { listen: "0.0.0.0:9464" }',
      'error at "0.0.0.0:9464": metrics.listen: expected 127.0.0.1:PORT or [::1]:PORT',
    ],
    [
      'a port that is none',
      'metrics: { listen: "127.0.0.1:70000" }',
      'error at "127.0.0.1:70000": metrics.listen: expected a port up to 65535',
    ],
    [
      'a port that nobody would know',
      'metrics: { listen: "127.0.0.1:0" }',
      'error at "127.0.0.1:0": metrics.listen: expected 127.0.0.1:PORT or [::1]:PORT',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await problemsOf(setting(text))).toEqual([expected]);
  });
});

describe('an account’s more', () => {
  const at = 'accounts.corp.oidc';
  test.each<[string, string, string]>([
    [
      'a port that is none',
      'redirectPorts: [8000, 0]',
      `error at 0: ${at}.redirectPorts.1: is too small; expected 1 at least`,
    ],
    [
      'a port too high',
      'redirectPorts: [65536]',
      `error at 65536: ${at}.redirectPorts.0: is too large; expected 65535 at most`,
    ],
    [
      'one port, not a list',
      'redirectPorts: 8000',
      `error at 8000: ${at}.redirectPorts: expected a list, not a number`,
    ],
    [
      'too many ports',
      `redirectPorts: [${Array.from({ length: 17 }, (_, n) => n + 1).join(',')}]`,
      `error at [1: ${at}.redirectPorts: is too long; expected 16 entries at most`,
    ],
    [
      'a secret as a parameter',
      'extraParams: { client_secret: hunter2 }',
      `error at client_secret:: ${at}.extraParams.client_secret: is Lanyard’s own: config.yaml holds no secrets`,
    ],
    [
      'a header that carries a credential',
      'extraHeaders: { Authorization: hunter2 }',
      `error at hunter2: ${at}.extraHeaders.Authorization: this header is not for config.yaml: it carries a credential, or HTTP sets it itself`,
    ],
    [
      'a proxy that isn’t one',
      'proxyUrl: socks5://p',
      `error at socks5://p: ${at}.proxyUrl: expected an http:// or https:// URL`,
    ],
    [
      'a proxy that looks like another',
      'proxyUrl: "http://\u0435xample"',
      `error at "http://\u0435xample": ${at}.proxyUrl: must be plain ASCII (xn--… for other letters): two addresses must not look the same`,
    ],
    ['a hint of nobody', 'loginHint: ""', `error at "": ${at}.loginHint: must not be empty`],
    [
      'a client’s key',
      'clientKey: hunter2',
      `error at clientKey:: ${at}.clientKey: config.yaml holds no secrets: use lanyard secret set corp/clientKey`,
    ],
  ])('%s', async (_, text, expected) => {
    expect(await problemsOf(oidc(text))).toEqual([expected]);
  });

  test('all of them, good', async () => {
    const { config, problems } = await load(
      oidc(
        'flow: clientCredentials, redirectPorts: [8000, 18000], loginHint: a@b, extraParams: { prompt: select_account }, extraHeaders: { X-Tenant: a }, proxyUrl: "http://p:3128", loginWithoutTerminal: true, clientAssertionFile: token, browser: [firefox, -P, work]',
      ),
    );
    expect(problems).toEqual([]);
    expect(config?.accounts.get('corp')?.config).toMatchObject({
      oidc: { redirectPorts: [8000, 18000], extraParams: { prompt: 'select_account' } },
    });
  });
});

describe('a cluster’s audience', () => {
  test('is exchanged by an oidc account', async () => {
    const { config, problems } = await load(cluster('audience: prod'));
    expect(problems).toEqual([]);
    expect(config?.clusters.get('prod')?.config.audience).toBe('prod');
  });

  test.each(['staticToken: {}', 'clientCertificate: {}'])('is an error with %s', async (kind) => {
    expect(await problemsOf(cluster('audience: prod', kind))).toEqual([
      'error at prod: clusters.prod.audience: a token for an audience is exchanged by an oidc account; corp is none',
    ]);
  });
});

describe('what a cluster adds for its plugin', () => {
  const plugin =
    'execPlugin: { apiVersion: client.authentication.k8s.io/v1, command: p, interactiveMode: Never }';
  const args = 'additionalArgs: [--role, admin]';
  const variables = (name: string) => `additionalEnv: [{ name: ${name}, value: x }]`;

  test('reaches an exec plugin', async () => {
    const { config, problems } = await load(cluster(`${args}, ${variables('AWS_PROFILE')}`, plugin));
    expect(problems).toEqual([]);
    expect(config?.clusters.get('prod')?.config).toMatchObject({
      additionalArgs: ['--role', 'admin'],
      additionalEnv: [{ name: 'AWS_PROFILE', value: 'x' }],
    });
  });

  test.each(['staticToken: {}', 'oidc: { issuer: "https://id", clientId: k }'])(
    'is an error with %s',
    async (kind) => {
      const text = 'only an exec plugin gets arguments and variables for one cluster; corp is none';
      expect(await problemsOf(cluster(`${args}, ${variables('A')}`, kind))).toEqual([
        `error at [--role: clusters.prod.additionalArgs: ${text}`,
        `error at [{: clusters.prod.additionalEnv: ${text}`,
      ]);
      expect(await problemsOf(cluster('additionalArgs: [], additionalEnv: []', kind))).toEqual([]);
    },
  );

  test.each(['LD_PRELOAD', 'NODE_OPTIONS', 'KUBERNETES_EXEC_INFO', 'LANYARD_HOME'])(
    'never %s (rule: cleared-environment)',
    async (name) => {
      expect(await problemsOf(cluster(variables(name), plugin))).toEqual([
        `error at ${name}: clusters.prod.additionalEnv.0.name: makes programs load or run something else, and never reaches a plugin`,
      ]);
    },
  );
});

describe('what the kind of its account can’t give', () => {
  const registry = (kind: string, text = '') =>
    `version: 1\naccounts: { corp: { ${kind} } }\nregistries:\n  ghcr: { matchImages: [ghcr.io], account: corp${text} }\n`;
  const plugin = (text: string) =>
    `execPlugin: { apiVersion: client.authentication.k8s.io/v1, command: p, ${text} }`;
  const provider =
    'credentialProvider: { apiVersion: credentialprovider.kubelet.k8s.io/v1, command: ecr-credential-provider }';

  test.each([
    ['registry: {}', 'a cluster takes a token or a certificate; corp has the password of a registry'],
    [
      'credentialHelper: { helper: pass }',
      'a cluster takes a token or a certificate; corp is a credential helper of docker’s',
    ],
    [provider, 'a cluster takes a token or a certificate; corp is a provider of passwords for images'],
    [
      'oidc: { issuer: "https://id.example.com", clientId: k, flow: serviceAccountToken }',
      'corp exchanges the service account token that a kubelet passes on, and a cluster’s clients pass on none',
    ],
  ])('a cluster’s is an error with %s', async (kind, text) => {
    expect(await problemsOf(cluster('approval: never', kind))).toEqual([
      `error at corp: clusters.prod.account: ${text}`,
    ]);
  });

  test.each([
    ['clientCertificate: {}', 'error', 'a registry takes a password or a token; corp has a certificate'],
    [
      plugin('interactiveMode: Never, provideClusterInfo: true'),
      'error',
      'the plugin of corp is told for which cluster it runs (provideClusterInfo), and a registry is none',
    ],
    [
      plugin('interactiveMode: Always'),
      'warning',
      'the plugin of corp runs only at a terminal (interactiveMode: Always), and docker and a kubelet have none; what works is: lanyard image get IMAGE',
    ],
  ])('a registry’s with %s: %s', async (kind, severity, text) => {
    expect(await problemsOf(registry(kind))).toEqual([
      `${severity} at corp: registries.ghcr.account: ${text}`,
    ]);
  });

  test.each(['registry: {}', 'staticToken: {}', provider, plugin('interactiveMode: IfAvailable')])(
    'a registry’s is good with %s',
    async (kind) => {
      expect(await problemsOf(registry(kind))).toEqual([]);
    },
  );

  test('a provider plugin’s tokenAttributes are checked as a kubelet checks them, in its words', async () => {
    const attributes = (text: string) => registry(provider.replace(' }', `, tokenAttributes: { ${text} } }`));
    const whole = 'serviceAccountTokenAudience: a, cacheType: Token, requireServiceAccount: true';
    const at = 'error at {: accounts.corp.credentialProvider.tokenAttributes';
    expect(await problemsOf(attributes(whole))).toEqual([]);
    expect(await problemsOf(attributes(whole.replace('Token,', 'token,')))).toEqual([
      expect.stringContaining(`${at}: providers.tokenAttributes.cacheType: Unsupported value: "token"`),
    ]);
    expect(await problemsOf(attributes(''))).toEqual([
      expect.stringContaining('serviceAccountTokenAudience: Required value'),
      expect.stringContaining('requireServiceAccount: Required value'),
      expect.stringContaining('cacheType: Required value'),
    ]);
    expect(await problemsOf(attributes(whole).replace('.io/v1', '.io/v1beta1'))).toEqual([
      expect.stringContaining('tokenAttributes is only supported for'),
    ]);
  });

  test('a registry’s password is its account’s', async () => {
    expect(await problemsOf(registry('registry: {}', ', password: hunter2'))).toEqual([
      'error at password:: registries.ghcr.password: config.yaml holds no secrets: use lanyard secret set corp',
    ]);
  });
});

describe('another credential helper of docker’s', () => {
  const helper = (text: string) => `version: 1\naccounts:\n  other:\n    credentialHelper: { ${text} }\n`;

  test.each(['lanyard', 'Lanyard', 'lanyard-work', 'lanyard.exe'])(
    'is not Lanyard’s own: %s',
    async (name) => {
      expect(await problemsOf(helper(`helper: ${name}`))).toEqual([
        `error at ${name}: accounts.other.credentialHelper.helper: is Lanyard’s own helper: it would ask itself`,
      ]);
    },
  );

  test.each(['a/b', '../x', 'a b', '""', 'ä'])('has a name that docker could run: not %s', async (name) => {
    expect((await problemsOf(helper(`helper: ${name}`))).join()).toContain(
      'accounts.other.credentialHelper.helper: ',
    );
  });

  test('is the fallback in one account at most', async () => {
    const text = `${helper('helper: pass, fallback: true')}  more:\n    credentialHelper: { helper: pass, fallback: true }\n`;
    expect(await problemsOf(text)).toEqual([
      'error at true: accounts.more.credentialHelper.fallback: other is asked already for what has no other credential; one account at most',
    ]);
  });

  test.each(['LD_PRELOAD', 'LANYARD_HOME'])('gets no variable %s', async (name) => {
    expect((await problemsOf(helper(`helper: pass, env: [{ name: ${name}, value: x }]`))).join()).toContain(
      'never reaches a plugin',
    );
  });
});
