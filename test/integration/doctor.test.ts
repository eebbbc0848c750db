import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCa, issueClientCertificate } from '../support/certificates.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.ts';
import { findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import type { Ended } from '../support/processes.ts';
import { codeLine, Stage } from '../support/stage.ts';

interface Finding {
  check: string;
  subject: string | null;
  level: string;
  message: string;
  hint: string | null;
}

/** A secret in plain text, in a kubeconfig of the person's. */
const plainToken = 'canary-3b1f90c2d4e5';

let stage: Stage;
let proxy: ConnectProxy;
let old: KubernetesApi;
let quiet: KubernetesApi;
let skewed: { issuer: string; dispose(): void };
let programs: string;
let kube: string;
let conversation = '';

/** A provider of which nothing but the discovery document is there, an hour behind. */
async function startSkewedProvider() {
  const server = createServer((_, response) => {
    response.sendDate = false;
    response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dispose = () => {
    server.closeAllConnections();
    server.close();
  };
  return { issuer, dispose };
}

async function doctor(env: Record<string, string> = {}, args: string[] = ['doctor', '--json']) {
  const done: Ended = await stage.lanyard(args, { env: { PATH: programs, SHELL: '/bin/bash', ...env } });
  conversation += done.stdout + done.stderr;
  return { done, findings: args.includes('--json') ? (JSON.parse(done.stdout).findings as Finding[]) : [] };
}

function of(findings: readonly Finding[], check: string, subject: string | null = null): Finding {
  const found = findings.filter((each) => each.check === check && each.subject === subject);
  expect(found, `${check} of ${subject} in ${JSON.stringify(findings, null, 1)}`).toHaveLength(1);
  return found[0] as Finding;
}

function program(name: string, text: string): string {
  const path = join(programs, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

function kubectlSaying(minor: string, gitVersion = `v1.${minor}.0`): void {
  const said = JSON.stringify({ clientVersion: { major: '1', minor, gitVersion } });
  program('kubectl', `#!/bin/sh\necho '${said}'\n`);
}

/** A kubeconfig with one user, of its name. */
function kubeconfig(name: string, user: object, mode = 0o600): string {
  const path = join(kube, name);
  const text = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: 'https://c.example.com' } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    users: [{ name, user }],
  };
  writeFileSync(path, JSON.stringify(text));
  chmodSync(path, mode);
  return path;
}

function lanyardUser(command: string, apiVersion = 'v1') {
  return {
    exec: {
      apiVersion: `client.authentication.k8s.io/${apiVersion}`,
      command,
      args: ['kube-credential', '--account', 'corp'],
      interactiveMode: 'IfAvailable',
    },
  };
}

beforeAll(async () => {
  proxy = await startConnectProxy();
  skewed = await startSkewedProvider();
  stage = await Stage.open({
    extend: async ({ accounts, clusters }, parts) => {
      const { home, provider, api, clientCa, botToken } = parts;
      const oidc = (fields: object) => parts.oidcAccount(provider, fields);
      quiet = await startKubernetesApi({
        staticTokens: { [botToken]: { name: 'bot', groups: [] } },
        reviews: 'forbidden',
      });
      old = await startKubernetesApi({
        staticTokens: { [botToken]: { name: 'bot', groups: [] } },
        reviews: 'none',
      });
      const certificate = async (name: string, notAfter: Date) => {
        const notBefore = new Date(Date.now() - 30 * 86_400_000);
        const issued = await issueClientCertificate(clientCa, { commonName: name, notBefore, notAfter });
        const file = home.write(`${name}.pem`, `${issued.chainPem}${issued.keyPem}`);
        return { clientCertificate: { certificateFile: file } };
      };
      const pem = (name: string, of: KubernetesApi) => home.write(`${name}-ca.pem`, of.caPem);
      Object.assign(accounts, {
        away: oidc({ issuer: 'https://127.0.0.1:1' }),
        mismatch: oidc({ issuer: `${provider.issuer}/` }),
        untrusted: { oidc: { issuer: provider.issuer, clientId: 'x' } },
        proxied: oidc({ proxyUrl: proxy.url }),
        skewed: { oidc: { issuer: skewed.issuer, clientId: 'x' } },
        empty: { staticToken: {} },
        open: { staticToken: { file: home.write('open-token', 'opaque', 0o644) } },
        missing: { staticToken: { file: join(home.outside, 'no-such-token') } },
        ended: await certificate('ended', new Date(Date.now() - 1_000)),
        ending: await certificate('ending', new Date(Date.now() + 3_600_000)),
      });
      const cluster = (fields: object) => ({
        server: api.server,
        certificateAuthority: pem('api', api),
        account: 'bot',
        ...fields,
      });
      const otherCa = home.write('other-ca.pem', (await createCa('another')).certificatePem);
      Object.assign(clusters, {
        'no-dns': cluster({ server: 'https://no-such-host.invalid' }),
        closed: cluster({ server: 'https://127.0.0.1:1' }),
        'other-ca': cluster({ certificateAuthority: otherCa }),
        'other-name': cluster({ tlsServerName: 'other.example.com' }),
        insecure: cluster({ certificateAuthority: undefined, insecureSkipTlsVerify: true }),
        old: cluster({ server: old.server, certificateAuthority: pem('old', old) }),
        quiet: cluster({ server: quiet.server, certificateAuthority: pem('quiet', quiet) }),
        stranger: cluster({ account: 'empty' }),
      });
    },
  });
  programs = join(stage.home.outside, 'programs');
  kube = join(stage.home.outside, 'user', '.kube');
  mkdirSync(programs, { mode: 0o755 });
  mkdirSync(kube, { recursive: true, mode: 0o700 });
  await stage.setSecrets();
  await stage.logIn();
});

afterAll(async () => {
  await stage?.dispose();
  await Promise.all([proxy?.dispose(), old?.dispose(), quiet?.dispose()]);
  skewed?.dispose();
});

beforeEach(() => {
  rmSync(programs, { recursive: true });
  mkdirSync(programs, { mode: 0o755 });
  rmSync(kube, { recursive: true });
  mkdirSync(kube, { mode: 0o700 });
});

describe('doctor with a broker', () => {
  it('says what is right, changes nothing, and asks nothing', async () => {
    const files = [stage.home.file('vault'), stage.home.file('config')];
    const before = files.map((file) => readFileSync(file, 'base64'));
    const { findings } = await once();
    expect(files.map((file) => readFileSync(file, 'base64'))).toEqual(before);
    for (const [check, subject] of [
      ['broker', null],
      ['home', null],
      ['home.helper', null],
      ['home.start', null],
      ['keychain', null],
      ['vault', null],
      ['config', null],
      ['account.login', 'corp'],
      ['account.discovery', 'corp'],
      ['account.certificate', 'ops'],
      ['account.token', 'bot'],
      ['cluster.reachable', 'prod'],
      ['cluster.audience', 'prod'],
    ] as const) {
      expect(of(findings, check, subject)).toMatchObject({ level: 'ok', hint: null });
    }
    expect(of(findings, 'socket')).toMatchObject({ level: 'ok' });
    expect(of(findings, 'cluster.identity', 'prod').message).toContain('alice@example.com (developers)');
    expect(of(findings, 'cluster.identity', 'prod-ops').message).toContain('olga (operators)');
    expect(of(findings, 'vault.ways')).toMatchObject({ level: 'note', hint: 'lanyard recovery-key create' });
  });

  it.each([
    ['away', 'account.discovery', 'problem', /127\.0\.0\.1:1 refuses the connection/],
    ['away', 'account.login', 'warning', /no one is logged in/],
    ['mismatch', 'account.discovery', 'problem', /says that its issuer is/],
    ['untrusted', 'account.discovery', 'problem', /certificate of an unknown authority/],
    ['proxied', 'account.proxy', 'note', /through the proxy 127\.0\.0\.1:\d+/],
    ['skewed', 'account.clock', 'warning', /60 min ahead of|1 h ahead of/],
    ['empty', 'account.token', 'problem', /has no token yet/],
    ['open', 'account.file', 'warning', /may be read by other users/],
    ['missing', 'account.token', 'problem', /no-such-token does not exist/],
    ['ended', 'account.certificate', 'problem', /expired at/],
    ['ending', 'account.certificate', 'warning', /expires soon/],
    ['no-dns', 'cluster.reachable', 'problem', /can’t be resolved \(DNS\)/],
    ['closed', 'cluster.reachable', 'problem', /refuses the connection/],
    ['other-ca', 'cluster.tls', 'problem', /unknown authority/],
    ['other-name', 'cluster.tls', 'problem', /for another host/],
    ['insecure', 'cluster.tls', 'warning', /TLS verification is off/],
    ['old', 'cluster.identity', 'note', /older than Kubernetes 1\.26/],
    ['quiet', 'cluster.identity', 'note', /HTTP status 403/],
    ['stranger', 'cluster.identity', 'note', /identity not checked/],
    ['bot', 'account.sharedAudience', 'note', /one token is valid for \d+ servers/],
  ])('%s: %s is a %s', async (subject, check, level, message) => {
    const { done, findings } = await once();
    const found = of(findings, check, subject);
    expect(found).toMatchObject({ level, message: expect.stringMatching(message) });
    expect(found.hint !== null || level === 'note' || check === 'account.clock').toBe(true);
    expect(done.code).toBe(19);
  });

  it('a cluster that does not take the credential', async () => {
    stage.api.rejectTokens(stage.botToken);
    try {
      const { findings } = await doctor();
      expect(of(findings, 'cluster.identity', 'prod-bot')).toMatchObject({
        level: 'problem',
        message: 'it answers 401 to the credential of bot',
      });
    } finally {
      stage.api.acceptAll();
    }
  });

  it('kubeconfigs: what is wrong with each is said, and what is right', async () => {
    const other = program('lanyard', '#!/bin/sh\n');
    const broken = kubeconfig('broken', {});
    writeFileSync(broken, 'users: [\n');
    const locked = kubeconfig('locked', {});
    writeFileSync(`${locked}.lock`, '');
    utimesSync(`${locked}.lock`, 1, 1);
    const secret = { token: plainToken };
    const expected: [check: string, path: string, level: string, message: RegExp][] = [
      ['plaintext', kubeconfig('plain', secret), 'warning', /secrets in plain text, of plain/],
      ['mode', kubeconfig('read', secret, 0o644), 'warning', /other users can read it \(mode 644\)/],
      ['mode', kubeconfig('changed', {}, 0o622), 'warning', /other users can change it/],
      [
        'helper',
        kubeconfig('gone', lanyardUser('/no/such/lanyard')),
        'problem',
        /the helper of gone is not there: \/no\/such\/lanyard/,
      ],
      ['helper', kubeconfig('other', lanyardUser(other)), 'warning', /is not this home’s helper/],
      ['helper', kubeconfig('own', lanyardUser(stage.home.file('helper'))), 'ok', /this home’s helper/],
      ['problem', broken, 'problem', /line \d/],
      ['lock', locked, 'warning', /a lock is left over/],
      [
        'user',
        kubeconfig('both', { ...secret, username: 'me', password: plainToken }),
        'warning',
        /user both: refused by kubectl/,
      ],
    ];
    const { findings } = await doctor({ KUBECONFIG: expected.map(([, path]) => path).join(':') });
    for (const [check, path, level, message] of expected) {
      const found = of(findings, `kubeconfig.${check}`, path);
      expect(found).toMatchObject({ level, message: expect.stringMatching(message) });
    }
  });

  it('nothing of the person’s is there: no kubeconfig, kubectl, name on PATH or completion', async () => {
    const { findings } = await doctor();
    expect(of(findings, 'kubeconfig.use').message).toContain('there is no kubeconfig');
    expect(of(findings, 'kubectl', 'kubectl').message).toBe('there is none on PATH');
    for (const name of ['lanyard', 'kubectl-lanyard']) {
      expect(of(findings, `path.${name}`, name)).toMatchObject({ level: 'note', hint: 'lanyard install' });
    }
    expect(of(findings, 'completion', 'completion')).toMatchObject({ level: 'note' });
  });

  describe('a kuberc and a kubectl', () => {
    const kuberc = () => join(kube, 'kuberc');
    const allow = (entry: object) => {
      const list = { credentialPluginPolicy: 'Allowlist', credentialPluginAllowlist: [entry] };
      const preference = { apiVersion: 'kubectl.config.k8s.io/v1beta1', kind: 'Preference', ...list };
      writeFileSync(kuberc(), JSON.stringify(preference));
    };

    it('that keep the helper from running', async () => {
      kubeconfig('config', {});
      kubectlSaying('36');
      allow({ command: '/usr/bin/aws' });
      const { findings } = await doctor();
      const message = expect.stringContaining('not on its');
      expect(of(findings, 'kuberc', kuberc())).toMatchObject({ level: 'problem', message });
      expect(of(findings, 'kubeconfig.use').message).toContain('uses lanyard');
    });

    it('too old for the file, and for what was written for it', async () => {
      kubectlSaying('21');
      allow({ command: '/usr/bin/aws' });
      const config = kubeconfig('config', lanyardUser(stage.home.file('helper')));
      const { findings } = await doctor();
      const message = expect.stringContaining(config);
      expect(of(findings, 'kubectl.version', 'kubectl')).toMatchObject({ level: 'problem', message });
      expect(of(findings, 'kuberc', kuberc())).toMatchObject({ level: 'note' });
    });

    it('that let it run: named by KUBERC, and written for that kubectl', async () => {
      kubectlSaying('21');
      allow({ name: stage.home.file('helper') });
      kubeconfig('config', lanyardUser(stage.home.file('helper'), 'v1beta1'));
      const { findings } = await doctor({ KUBERC: kuberc() });
      expect(of(findings, 'kubectl.version', 'kubectl')).toMatchObject({ level: 'note' });
      expect(of(findings, 'kuberc', kuberc())).toMatchObject({ level: 'ok' });
    });

    it('new, with the managed kubeconfig, and no kuberc', async () => {
      const { path, version } = findKubectls().newest;
      symlinkSync(path, join(programs, 'kubectl'));
      allow({ command: '/usr/bin/aws' });
      const managed = await stage.writeKubeconfig();
      const { findings } = await doctor({ KUBECONFIG: managed, KUBERC: 'off' });
      expect(of(findings, 'kubectl.version', 'kubectl').message).toContain(`is ${version}`);
      expect(of(findings, 'kubeconfig.helper', managed)).toMatchObject({ level: 'ok' });
      expect(findings.filter(({ check }) => check === 'kuberc' || check === 'kubeconfig.use')).toEqual([]);
    });
  });

  it('a kubectl that picks another, the names on PATH, and completion', async () => {
    kubectlSaying('32+', 'v1.32.4-dispatcher');
    program('lanyard', '#!/bin/sh\n');
    symlinkSync(stage.home.file('helper'), join(programs, 'kubectl-lanyard'));
    const folder = join(stage.home.outside, 'user', '.config', 'fish', 'completions');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'lanyard.fish'), '');
    const { findings } = await doctor({ SHELL: '/usr/bin/fish' });
    expect(of(findings, 'kubectl.dispatcher', 'kubectl')).toMatchObject({ level: 'note' });
    expect(of(findings, 'path.lanyard', 'lanyard')).toMatchObject({ level: 'warning' });
    expect(of(findings, 'path.kubectl-lanyard', 'kubectl-lanyard')).toMatchObject({ level: 'ok' });
    expect(of(findings, 'completion', 'completion')).toMatchObject({ level: 'ok' });
  });

  it('a kubectl that others can replace is not run', async () => {
    program('kubectl', `#!/bin/sh\ntouch ${programs}/ran\n`);
    chmodSync(programs, 0o777);
    const { findings } = await doctor();
    expect(of(findings, 'kubectl', 'kubectl')).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('was not run'),
    });
    expect(() => readFileSync(join(programs, 'ran'))).toThrow(/ENOENT/);
  });

  it('what in the home is not as it should be', async () => {
    const [socket, start, helper] = (['socket', 'start', 'helper'] as const).map((name) =>
      stage.home.file(name),
    ) as [string, string, string];
    const startText = readFileSync(start, 'utf8');
    chmodSync(socket, 0o666);
    writeFileSync(start, JSON.stringify({ version: 1, command: ['/no/such/node', 'agent.js'] }));
    renameSync(helper, `${helper}.away`);
    try {
      const { findings } = await doctor();
      expect(of(findings, 'socket')).toMatchObject({ level: 'problem', hint: `chmod 600 ${socket}` });
      expect(of(findings, 'home.start').message).toContain('/no/such/node, which is gone');
      expect(of(findings, 'home.helper')).toMatchObject({ level: 'problem' });
    } finally {
      renameSync(`${helper}.away`, helper);
      writeFileSync(start, startText);
      chmodSync(socket, 0o600);
    }
  });

  it('as text: by group, the worst first, with what to do about it', async () => {
    const { done } = await doctor({}, ['doctor']);
    expect(done.code).toBe(19);
    expect(done.stdout).toMatch(/^Agent\n {2}note /);
    expect(done.stdout).toMatch(/\nClusters\n {2}problem {2}no-dns: .*\n {13}check the network/);
    expect(done.stdout).toMatch(/\n\n\d+ problems, \d+ warnings, \d+ notes\n$/);
    const clusters = done.stdout.slice(done.stdout.indexOf('\nClusters\n'));
    expect(clusters.indexOf('  problem')).toBeLessThan(clusters.indexOf('  ok'));
  });

  it('changes from outside: pending, checked as they were approved, and the other server is not asked', async () => {
    const config = stage.home.file('config');
    const text = readFileSync(config, 'utf8');
    const changed = JSON.parse(text);
    changed.accounts.bot = { staticToken: { file: '/etc/hostname' } };
    changed.clusters.prod.server = old.server;
    writeFileSync(config, JSON.stringify(changed));
    try {
      await expect
        .poll(async () => (await stage.status()).held.map((each: { name: string }) => each.name).toSorted())
        .toEqual(['bot', 'prod']);
      old.forgetRequests();
      const { findings } = await doctor();
      expect(of(findings, 'config.held')).toMatchObject({ level: 'warning', hint: 'lanyard confirm' });
      const about = findings.filter(({ subject }) => subject === 'bot' || subject === 'prod');
      expect(about.length).toBeGreaterThan(0);
      expect(JSON.stringify(about)).not.toMatch(/etc.hostname/);
      expect(JSON.stringify(about)).not.toContain(old.server);
      // What bot serves there was approved; nobody else’s credential comes.
      expect(old.requests.filter(({ via, user }) => via !== 'none' && user !== 'bot')).toEqual([]);
      writeFileSync(config, 'accounts: [');
      await expect.poll(async () => (await stage.status()).config.problems.length).toBeGreaterThan(0);
      const broken = (await doctor()).findings.filter(({ check }) => check === 'config');
      expect(broken[0]).toMatchObject({
        level: 'problem',
        message: expect.stringContaining('config.yaml:1:'),
      });
    } finally {
      writeFileSync(config, text);
      await expect.poll(async () => (await stage.status()).held).toEqual([]);
    }
  });

  it('locked: says so, and checks what can be checked', async () => {
    const locked = await stage.lanyard(['lock']);
    expect(locked.code).toBe(0);
    const { findings } = await doctor();
    expect(of(findings, 'vault')).toMatchObject({ level: 'warning', hint: 'lanyard unlock' });
    expect(of(findings, 'account', 'corp')).toMatchObject({ level: 'note' });
    expect(of(findings, 'cluster', 'prod')).toMatchObject({ level: 'note' });
    const file = stage.home.write('passphrase', 'the stage’s passphrase');
    expect((await stage.lanyard(['unlock', '--passphrase-file', file])).code).toBe(0);
  });
});

describe('doctor without a broker', () => {
  it('says that first and why, and checks what is possible', async () => {
    await stage.agent.stop();
    const path = kubeconfig('config', { token: plainToken });
    const vault = readFileSync(stage.home.file('vault'));
    const words = ['agent', 'doctor', '--json', '--unreachable', 'no agent is running'];
    const { done, findings } = await doctor({}, words);
    expect(done.code).toBe(17);
    expect(findings[0]).toMatchObject({
      check: 'broker.unreachable',
      level: 'problem',
      message: 'no agent runs (no agent is running)',
    });
    for (const check of ['home', 'home.helper', 'home.start', 'keychain', 'vault', 'config']) {
      expect(of(findings, check)).toMatchObject({ level: 'ok' });
    }
    expect(of(findings, 'account.sharedAudience', 'bot')).toMatchObject({ level: 'note' });
    expect(of(findings, 'kubeconfig.plaintext', path)).toMatchObject({ level: 'warning' });
    expect(readFileSync(stage.home.file('vault')).equals(vault)).toBe(true);
  });

  it('tells a broken vault, a broken config, and words that it does not know', async () => {
    const [vault, config] = [stage.home.file('vault'), stage.home.file('config')];
    const kept = [readFileSync(vault), readFileSync(config)] as const;
    writeFileSync(vault, kept[0].subarray(0, 100));
    writeFileSync(config, 'version: 2\n');
    try {
      const { findings } = await doctor({}, ['agent', 'doctor', '--json']);
      expect(of(findings, 'vault')).toMatchObject({ level: 'problem' });
      expect(findings.filter(({ check }) => check === 'config')[0]).toMatchObject({ level: 'problem' });
      const wrong = await doctor({}, ['agent', 'doctor', '--jason']);
      expect(wrong.done).toMatchObject({ code: 2, stdout: '' });
    } finally {
      writeFileSync(vault, kept[0]);
      writeFileSync(config, kept[1]);
    }
  });
});

it('no secret was said in all that', () => {
  expect(conversation.length).toBeGreaterThan(10_000);
  for (const secret of [plainToken, stage.botToken, stage.opsCertificate.keyPem.split('\n')[1] ?? '']) {
    expect(secret.length).toBeGreaterThan(8);
    expect(conversation).not.toContain(secret);
  }
  expect(conversation).not.toMatch(/eyJ[\w-]{10}/);
  expect(conversation).not.toMatch(codeLine);
});

let shared: ReturnType<typeof doctor> | undefined;

/** One run for all rows of a table. */
function once(): ReturnType<typeof doctor> {
  shared ??= doctor();
  return shared;
}
