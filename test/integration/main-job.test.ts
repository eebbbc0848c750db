import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate, largeCaBundle } from '../support/certificates.ts';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { execVersion, findKubectls, type Kubectl } from '../support/kubectl.ts';
import type { KubernetesApi } from '../support/kubernetes-api.ts';
import { fingerprint } from '../support/openid-provider.ts';
import { startOnTerminal } from '../support/pty.ts';
import { codeLine, credentialIn, Stage, type Told, until } from '../support/stage.ts';

const { oldest, newest } = findKubectls();
const both = [...new Map([oldest, newest].map((each) => [each.version, each])).values()];

let stage: Stage;
/** What belongs to the person and must stay as it is (KEP-541/kubeconfig-unchanged). */
const persons = new Map<string, string>();
const kubeconfigs = new Map<string, string>();
/** Of kubectl: what it is told about the newest. */
let kubeconfig = '';

beforeAll(async () => {
  stage = await Stage.open({
    provider: { lifetimes: { idTokenSeconds: 600 } },
    extend: async ({ accounts, clusters }, here) => {
      const { home, api, clientCa } = here;
      const certificate = await issueClientCertificate(clientCa, {
        commonName: 'first',
        notAfter: new Date(Date.now() + 3_600_000),
      });
      for (const name of ['late', 'brief', 'absent', 'pasted']) {
        accounts[name] = here.oidcAccount();
      }
      accounts['files'] = {
        clientCertificate: {
          certificateFile: home.write('tls.crt', certificate.chainPem),
          keyFile: home.write('tls.key', certificate.keyPem),
        },
      };
      const ca = { certificatePem: api.caPem } as Parameters<typeof largeCaBundle>[0];
      const cluster = (account: string, fields: object = {}) => ({
        server: api.server,
        certificateAuthority: join(home.outside, 'cluster-ca.pem'),
        account,
        ...fields,
      });
      const large = home.write('large.pem', await largeCaBundle(ca, 90 * 1024));
      const larger = home.write('larger.pem', await largeCaBundle(ca, 150 * 1024));
      Object.assign(clusters, {
        late: cluster('late'),
        brief: cluster('brief'),
        absent: cluster('absent'),
        pasted: cluster('pasted'),
        files: cluster('files'),
        large: cluster('bot', { certificateAuthority: large }),
        larger: cluster('bot', { certificateAuthority: larger, withoutInfo: 'allow' }),
        elsewhere: cluster('bot', { server: 'https://127.0.0.1:1' }),
      });
    },
  });
  rememberPersonsFiles();
  await stage.setSecrets();
  await stage.logIn();
  for (const kubectl of both) {
    kubeconfigs.set(kubectl.version, await writtenFor(kubectl));
  }
  kubeconfig = kubeconfigOf(newest);
});
afterAll(() => stage?.dispose());

/** The managed file is one; each kubectl of the test keeps its copy. */
async function writtenFor(kubectl: Kubectl): Promise<string> {
  const written = await stage.writeKubeconfig(execVersion(kubectl));
  expect(written).toBe(stage.home.file('kubeconfig'));
  const copy = join(stage.home.outside, `kubeconfig-${kubectl.version}`);
  copyFileSync(written, copy);
  return copy;
}

function kubeconfigOf(kubectl: Kubectl): string {
  return kubeconfigs.get(kubectl.version) ?? '';
}

function rememberPersonsFiles(): void {
  const kube = join(stage.home.env['HOME'] ?? '', '.kube');
  mkdirSync(kube, { recursive: true });
  const text = kubeconfigText({ server: 'https://10.0.0.1' }, { token: 'of the person' });
  for (const file of [join(kube, 'config'), join(stage.home.outside, 'own-kubeconfig')]) {
    writeFileSync(file, text, { mode: 0o640 });
    persons.set(file, state(file));
  }
}

/** Content, mode, identity and times of a file. */
function state(file: string): string {
  const { mode, ino, mtimeMs, ctimeMs } = statSync(file);
  return JSON.stringify([readFileSync(file, 'base64'), mode, ino, mtimeMs, ctimeMs]);
}

function lastRequest(api: KubernetesApi = stage.api) {
  return api.requests.at(-1);
}

function getPods(context: string, kubectl: Kubectl = newest, more: readonly string[] = []) {
  return stage.kubectl(kubectl, kubeconfigOf(kubectl), ['--context', context, ...more, 'get', 'pods']);
}

const mode = (file: string) => (statSync(file).mode & 0o7777).toString(8);

describe.each(both)('kubectl $version gets the pods', (kubectl) => {
  test.each([
    ['KEP-541/tokens, KEP-541/cluster-info: with the token of a login', 'prod', 'token', 'alice@example.com'],
    [
      'KEP-541/certificates: with a client certificate and its intermediate',
      'prod-ops',
      'certificate',
      'olga',
    ],
    ['with a static token', 'prod-bot', 'token', 'bot'],
    ['with a certificate in files', 'files', 'certificate', 'first'],
    ['KEP-541/cluster-info: from a server whose CA has 90 KB', 'large', 'token', 'bot'],
    ['from one whose CA doesn’t fit the environment, with withoutInfo: allow', 'larger', 'token', 'bot'],
  ])('%s', async (_, context, via, user) => {
    stage.api.forgetRequests();
    const done = await getPods(context, kubectl);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toContain('web-0');
    expect(lastRequest()).toMatchObject({ path: '/api/v1/namespaces/default/pods', status: 200, via, user });
    expect(stage.api.requests.filter(({ status }) => status === 401)).toEqual([]);
  });

  test('KEP-541/interactive-login: a clear error without a login and a terminal, and no login begun', async () => {
    const before = stage.provider.counts.requests.device_authorization;
    const done = await getPods('absent', kubectl);
    expect(done.code).not.toBe(0);
    expect(done.stderr).toContain('lanyard: absent needs a login (you are not logged in to absent)');
    expect(done.stderr).toContain('hint: run: lanyard login absent');
    expect(done.stderr).toContain('failed with exit code 15');
    expect(stage.provider.counts.requests.device_authorization).toBe(before);
  });
});

describe('the helper’s answer', () => {
  const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

  test('KEP-541/tokens, KEP-541/expiry: a token with its end, less the margin', async () => {
    const { token = '', ...rest } = credentialIn(await stage.ask('corp'));
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(rest).toEqual({ expirationTimestamp: expect.stringMatching(rfc3339) });
    expect(Date.parse(rest.expirationTimestamp ?? '')).toBe((claims.exp - 60) * 1000);
  });

  test('KEP-541/certificates, KEP-541/expiry: a certificate that is valid now with its key, and its end', async () => {
    const answer = credentialIn(await stage.ask('ops'));
    expect(answer.token).toBeUndefined();
    expect(answer.clientKeyData).toContain('PRIVATE KEY');
    expect(answer.clientCertificateData?.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    const leaf = new X509Certificate(answer.clientCertificateData ?? '');
    expect(Date.parse(leaf.validFrom)).toBeLessThan(Date.now());
    expect(answer.expirationTimestamp).toMatch(rfc3339);
    const end = Date.parse(answer.expirationTimestamp ?? '');
    expect(end).toBeGreaterThan(Date.now());
    expect(end).toBeLessThan(Date.parse(leaf.validTo));
  });

  test('KEP-541/expiry: no expiry where the credential never expires', async () => {
    expect(credentialIn(await stage.ask('bot'))).toEqual({ token: stage.botToken });
  });

  test.each<[string, Told | null]>([
    ['v1alpha1', { apiVersion: 'client.authentication.k8s.io/v1alpha1', cluster: null }],
    ['v1 without a cluster', { cluster: null }],
    ['no KUBERNETES_EXEC_INFO', null],
  ])('to %s: in kind where withoutInfo is allow, else denied', async (_, told) => {
    const info = told && stage.execInfo(told);
    const allowed = await stage.ask('bot', info, { args: ['--cluster', 'larger'] });
    expect(JSON.parse(allowed.stdout)).toEqual({
      apiVersion: told?.apiVersion ?? `client.authentication.k8s.io/${told ? 'v1' : 'v1beta1'}`,
      kind: 'ExecCredential',
      status: { token: stage.botToken },
    });
    const refused = await stage.ask('bot', info, { args: ['--cluster', 'prod-bot'] });
    expect(refused).toMatchObject({ code: 13, stdout: '' });
    expect(refused.stderr).toContain('did not send cluster info, which prod-bot requires');
    const untold = await stage.ask('bot', info);
    expect(untold).toMatchObject({ code: 13, stdout: '' });
  });

  test.runIf(oldest.version === '1.20')('v1alpha1 through a kubectl that sends it', async () => {
    const exec = (cluster: string) => ({
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1alpha1',
        command: stage.home.file('helper'),
        args: ['kube-credential', '--account', 'bot', '--cluster', cluster],
      },
    });
    const to = { server: stage.api.server, caPem: stage.api.caPem };
    const allowed = stage.home.write('alpha', kubeconfigText(to, exec('larger')));
    expect((await stage.kubectl(oldest, allowed, ['get', 'pods'])).stdout).toContain('web-0');
    const refused = stage.home.write('alpha-refused', kubeconfigText(to, exec('prod-bot')));
    const done = await stage.kubectl(oldest, refused, ['get', 'pods']);
    expect(done.stderr).toContain('did not send cluster info');
  });
});

describe('which cluster', () => {
  test('KEP-541/cluster-config: the extension names it without --cluster', async () => {
    const exec = {
      exec: {
        apiVersion: `client.authentication.k8s.io/${execVersion(newest)}`,
        command: stage.home.file('helper'),
        args: ['kube-credential', '--account', 'bot'],
        provideClusterInfo: true,
      },
    };
    const to = (cluster: string) => ({
      server: stage.api.server,
      caPem: stage.api.caPem,
      execConfig: { lanyard: { cluster }, other: { kept: true } },
    });
    const good = stage.home.write('extension', kubeconfigText(to('prod-bot'), exec));
    expect((await stage.kubectl(newest, good, ['get', 'pods'])).stdout).toContain('web-0');
    const audit = await stage.lanyard(['audit', '--json']);
    expect(JSON.parse(audit.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      outcome: 'handedOut',
      cluster: 'prod-bot',
    });
    const wrong = stage.home.write('extension-wrong', kubeconfigText(to('elsewhere'), exec));
    const done = await stage.kubectl(newest, wrong, ['get', 'pods']);
    expect(done.stderr).toContain('server mismatch for the cluster elsewhere: server is');
    expect(done.code).not.toBe(0);
  });
});

describe('a login begun by kubectl', () => {
  test('KEP-541/interactive-login: on a terminal: one login, its code shown, then the pods', async () => {
    const before = stage.provider.counts.requests.device_authorization;
    const env = { ...stage.home.env, KUBECONFIG: kubeconfig };
    const terminal = startOnTerminal(newest.path, ['--context', 'late', 'get', 'pods'], { env });
    if (execVersion(newest) === 'v1beta1') {
      // A kubectl that doesn't tell whether somebody is there begins no login: it says what to do.
      expect(await terminal.ended).not.toMatchObject({ code: 0 });
      expect(terminal.shown()).toContain('run: lanyard login late');
      return;
    }
    try {
      const shown = await terminal.waitForText(/enter the code \S+\s/);
      await stage.provider.person.approveDevice(codeLine.exec(shown)?.[1] ?? '', { login: 'late' });
      expect(await terminal.ended).toMatchObject({ code: 0 });
      expect(terminal.shown()).toContain('web-0');
    } finally {
      await terminal.dispose();
    }
    expect(lastRequest()).toMatchObject({ user: 'late@example.com', status: 200 });
    expect(stage.provider.counts.requests.device_authorization).toBe(before + 1);
  });
});

describe('a login whose browser runs on another machine', () => {
  test('lanyard login --paste: the page is opened elsewhere, and what it ends at is pasted unseen', async () => {
    const terminal = stage.onTerminal(['login', 'pasted', '--paste']);
    const shown = await terminal.waitForText(/^ {2}(https:\S+)\s/m);
    const [, url = ''] = /^ {2}(https:\S+)\s/m.exec(shown) ?? [];
    await terminal.waitForText('Paste the address here');
    terminal.send('http://127.0.0.1/callback?code=other\r');
    await terminal.waitForText('not the address');
    const address = await stage.provider.person.callbackOf(url);
    terminal.send(`${address}\r`);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(terminal.shown()).toContain('Logged in to pasted as alice@example.com.');
    const code = new URL(address).searchParams.get('code') ?? '';
    expect(code).not.toBe('');
    expect(terminal.shown() + stage.agentLogs()).not.toContain(code);
    expect(credentialIn(await stage.ask('pasted')).token).toBeDefined();
  });

  test('without a terminal there is nowhere to paste', async () => {
    expect(await stage.lanyard(['login', 'pasted', '--paste'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--paste'),
    });
  });
});

describe.concurrent('one long-running client', () => {
  /** `kubectl proxy`: one process, whose requests the test makes. */
  async function proxy(context: string) {
    const running = stage.start(newest.path, ['--context', context, 'proxy', '--port=0'], {
      env: { KUBECONFIG: kubeconfig },
    });
    const [, address] = await running.waitForLine(/Starting to serve on (\S+)/);
    const get = async () => (await fetch(`http://${address}/api/v1/namespaces/default/pods`)).status;
    return { running, get };
  }

  const requestsOf = (user: string) => stage.api.requests.filter((each) => each.user === user);

  test('KEP-541/rotation: gets a new token before the old one ends, without a restart', async () => {
    const usual = stage.provider.lifetimes.idTokenSeconds;
    stage.provider.lifetimes.idTokenSeconds = 8;
    const { running, get } = await proxy('brief');
    try {
      await stage.logIn('brief', 'berta');
      await until(async () => {
        expect(await get()).toBe(200);
        const tokens = new Set(requestsOf('berta@example.com').map(({ token }) => token));
        return tokens.size === 2 ? tokens : null;
      }, 'a second token');
      expect(running.isRunning()).toBe(true);
    } finally {
      stage.provider.lifetimes.idTokenSeconds = usual;
      await running.dispose();
    }
  });

  test('KEP-541/rotation: gets a new certificate once its files were replaced, without a restart', async () => {
    const put = async (commonName: string, seconds: number) => {
      const notAfter = new Date(Date.now() + seconds * 1000);
      const next = await issueClientCertificate(stage.clientCa, { commonName, notAfter });
      stage.home.write('tls.crt', next.chainPem);
      stage.home.write('tls.key', next.keyPem);
    };
    const { running, get } = await proxy('files');
    // It is read at the first request.
    await put('second', 8);
    try {
      expect(await get()).toBe(200);
      expect(requestsOf('second')).toMatchObject([{ via: 'certificate' }]);
      await put('third', 3600);
      await until(async () => {
        expect(await get()).toBe(200);
        return requestsOf('third')[0];
      }, 'the new certificate');
      expect(running.isRunning()).toBe(true);
    } finally {
      await running.dispose();
    }
  });
});

test('KEP-541/valid-or-error: an error, and never an expired credential, while the provider is down', async () => {
  const usual = stage.provider.lifetimes.idTokenSeconds;
  stage.provider.lifetimes.idTokenSeconds = 4;
  try {
    await stage.lanyard(['logout', 'brief']);
    await stage.logIn('brief', 'berta');
    stage.provider.setFault('all', { kind: 'down' });
    const refused = await until(async () => {
      const asked = Date.now();
      const done = await stage.ask('brief');
      if (done.code !== 0) {
        return done;
      }
      const { token = '', expirationTimestamp = '' } = credentialIn(done);
      const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect(exp * 1000).toBeGreaterThan(asked);
      expect(Date.parse(expirationTimestamp)).toBeLessThanOrEqual(exp * 1000);
      return null;
    }, 'the token’s end');
    expect(refused).toMatchObject({ code: 16, stdout: '' });
    expect(refused.stderr).toMatch(/^lanyard: 127\.0\.0\.1:\d+ can’t be reached\n/);
    const pods = await getPods('brief');
    expect(pods.stdout).toBe('');
    expect(pods.stderr).toContain('failed with exit code 16');
    stage.provider.clearFaults();
    expect((await stage.askAtTerminal('brief')).code).toBe(0);
  } finally {
    stage.provider.clearFaults();
    stage.provider.lifetimes.idTokenSeconds = usual;
  }
});

test('KEP-541/protected-binary: the helper and all of the home are the owner’s alone', () => {
  const { home } = stage;
  expect(mode(home.path)).toBe('700');
  expect(mode(home.file('helper'))).toBe('755');
  expect(mode(join(home.path, 'bin'))).toBe('700');
  for (const name of ['config', 'vault', 'kubeconfig', 'socket', 'start', 'lock'] as const) {
    expect([name, mode(home.file(name))]).toEqual([name, '600']);
  }
  // Whatever else lies there.
  for (const entry of readdirSync(home.path)) {
    expect(statSync(join(home.path, entry)).mode & 0o077, entry).toBe(0);
  }
});

describe('the broker', () => {
  test('started again: works without a new login, with the same token', async () => {
    const { token } = credentialIn(await stage.ask('corp'));
    const logins = stage.provider.counts.requests.device_authorization;
    expect(await stage.agent.stop()).toMatchObject({ code: 0 });
    await stage.startAgent();
    expect((await getPods('prod')).stdout).toContain('web-0');
    expect(lastRequest()?.token).toBe(fingerprint(token ?? ''));
    expect(stage.provider.counts.requests.device_authorization).toBe(logins);
  });

  test('killed: a clear error, and all is well after its next start', async () => {
    await stage.agent.kill();
    const raw = await stage.ask('corp');
    expect(raw).toMatchObject({ code: 17, stdout: '' });
    expect(raw.stderr).toContain('lanyard: no agent is running\nhint: start it with: lanyard agent');
    const pods = await getPods('prod');
    expect(pods.code).not.toBe(0);
    expect(pods.stderr).toContain('lanyard: no agent is running');
    expect(pods.stderr).toContain('failed with exit code 17');
    await stage.startAgent();
    expect((await getPods('prod')).stdout).toContain('web-0');
  });
});

test('KEP-541/kubeconfig-unchanged: the user’s files are as they were: ~/.kube/config and another kubeconfig', async () => {
  const own = join(stage.home.outside, 'own-kubeconfig');
  // Also where it is the one in force.
  await stage.lanyard(['kubeconfig', 'write'], { env: { KUBECONFIG: own } });
  await stage.lanyard(['status'], { env: { KUBECONFIG: own } });
  for (const [file, before] of persons) {
    expect(state(file)).toBe(before);
  }
  const kube = readdirSync(join(stage.home.env['HOME'] ?? '', '.kube'));
  expect(kube.filter((name) => name !== 'cache')).toEqual(['config']);
});
