import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { type Canary, filesBelow, findCanaries } from '../support/canary.ts';
import { createCa, type IssuedCertificate, issueClientCertificate } from '../support/certificates.ts';
import { talk } from '../support/dialog.ts';
import { findKubectls } from '../support/kubectl.ts';
import { type Answer, type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { credentialIn, mustBeGood, Stage } from '../support/stage.ts';

/** Credentials in Secrets of a hub: the stage’s API server is the hub, another one the cluster that they are for. */
let stage: Stage;
let spoke: KubernetesApi;
let client: IssuedCertificate;

const token = 'spoke-token-canary-of-this-very-test';
const neighbour = 'another-value-of-the-secret-canary';
/** The server as only the hub’s own network knows it. */
const inside = 'https://proxy.hub.svc/clusters/moved';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const said: { where: string; bytes: Buffer }[] = [];

const path = (name: string) => `GET /api/v1/namespaces/fleet/secrets/${name}`;

/** A Secret as an API server returns it; `other` and the annotation are never Lanyard’s business. */
function secret(name: string, data: Record<string, string>, more: object = {}): Answer {
  const metadata = { name, namespace: 'fleet', annotations: { note: neighbour } };
  const encoded = Object.entries({ other: neighbour, ...data }).map(([key, value]) => [key, base64(value)]);
  const body = { kind: 'Secret', apiVersion: 'v1', metadata, data: Object.fromEntries(encoded), ...more };
  return { status: 200, body };
}

function kubeconfig({ user = { token } as object, cluster = {}, name = 'a' } = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server: spoke.server, 'certificate-authority-data': base64(spoke.caPem), ...cluster },
      },
    ],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

const failure = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: neighbour, code: status },
});

/** What the hub answers, and what the user reads. */
const bad: Readonly<Record<string, { answer: () => Answer; says: RegExp }>> = {
  forbidden: {
    answer: () => failure(403),
    says: /the hub hub doesn’t let bot read the Secret fleet\/forbidden \(403\)\nhint: .* get on secrets in the namespace fleet/,
  },
  'not-there': { answer: () => failure(404), says: /the hub hub has no Secret fleet\/not-there \(404\)/ },
  broken: { answer: () => failure(500), says: /answered with HTTP status 500/ },
  redirected: {
    answer: () => failure(302, { location: spoke.server }),
    says: /answered with HTTP status 302/,
  },
  'no-json': { answer: () => ({ status: 200, body: `{"kind": "${neighbour}` }), says: /something else than/ },
  another: { answer: () => secret('someone-elses', { token }), says: /something else than/ },
  'of-another-kind': {
    answer: () => secret('of-another-kind', { token }, { kind: 'ConfigMap' }),
    says: /something else than/,
  },
  huge: { answer: () => secret('huge', { token: 'a'.repeat(5_000_000) }), says: /sent more than it should/ },
  'no-key': { answer: () => secret('no-key', {}), says: /fleet\/no-key of the hub hub has no key token/ },
  'no-data': { answer: () => secret('no-data', {}, { data: null }), says: /has no key token/ },
  'not-base64': {
    answer: () => secret('not-base64', {}, { data: { token: '!' } }),
    says: /something else than/,
  },
  binary: {
    answer: () => secret('binary', {}, { data: { token: Buffer.from([0xff, 0xfe]).toString('base64') } }),
    says: /the key token .* is not UTF-8 text/,
  },
  spaces: {
    answer: () => secret('spaces', { token: `${token} ${token}` }),
    says: /has a token that has spaces or characters that no token has/,
  },
  expired: {
    answer: () =>
      secret('expired', { token: `${base64('{}')}.${base64('{"exp":1000000000}')}.${base64('canary')}` }),
    says: /has a credential that expired at/,
  },
};

const badKubeconfigs: Readonly<Record<string, { text: () => string; says: RegExp }>> = {
  elsewhere: {
    text: () => kubeconfig({ cluster: { server: 'https://evil-canary.example' } }),
    says: /has a kubeconfig for another cluster than elsewhere: it differs in server/,
  },
  runs: {
    text: () => kubeconfig({ user: { exec: { command: '/bin/canary', apiVersion: 'v1' } } }),
    says: /has a kubeconfig that has a program to run \(exec\)/,
  },
};

beforeAll(async () => {
  const clientCa = await createCa('spoke clients');
  client = await issueClientCertificate(clientCa, { commonName: 'cert-user' });
  spoke = await startKubernetesApi({
    clientCa,
    staticTokens: { [token]: { name: 'spoke-user', groups: [] } },
  });
  stage = await Stage.open({
    extend: (config, { home, api }) => {
      const { accounts, clusters } = config;
      const profile = (name: string, provider: string, server: string, execConfig: object) =>
        home.write(
          `${name}.json`,
          JSON.stringify({
            apiVersion: 'multicluster.x-k8s.io/v1alpha1',
            kind: 'ClusterProfile',
            metadata: { name, namespace: 'team' },
            spec: { clusterManager: { name: 'tests' } },
            status: {
              accessProviders: [
                {
                  name: provider,
                  cluster: {
                    server,
                    'certificate-authority-data': base64(spoke.caPem),
                    extensions: [{ name: 'client.authentication.k8s.io/exec', extension: execConfig }],
                  },
                },
              ],
            },
          }),
        );
      config.inventories = {
        fleet: {
          files: [profile('from-profile', 'secretreader', spoke.server, { clusterName: 'spoke' })],
          providers: [{ name: 'secretreader', account: 'fleet' }],
        },
        moved: {
          files: [profile('moved', 'kubeconfig-secretreader', inside, { name: 'moved', key: 'value' })],
          providers: [{ name: 'kubeconfig-secretreader', account: 'configs' }],
          serverRewrites: [{ from: inside, to: spoke.server }],
        },
      };
      const certificateAuthority = home.write('spoke-ca.pem', spoke.caPem);
      const at = (account: string, execConfig: object) => ({
        server: spoke.server,
        certificateAuthority,
        account,
        execConfig,
      });
      clusters['hub'] = { ...clusters['prod-bot'] };
      clusters['gone'] = { ...clusters['prod-bot'], server: 'https://127.0.0.1:1' };
      accounts['fleet'] = { secretReader: { cluster: 'hub', namespace: 'fleet' } };
      accounts['kept'] = { secretReader: { cluster: 'hub', namespace: 'fleet', cacheSeconds: 600 } };
      accounts['throttled'] = { secretReader: { cluster: 'hub', namespace: 'fleet' } };
      accounts['away'] = { secretReader: { cluster: 'gone', namespace: 'fleet' } };
      accounts['by-login'] = { secretReader: { cluster: 'prod', namespace: 'fleet' } };
      accounts['configs'] = { kubeconfigSecretReader: { cluster: 'hub', namespace: 'fleet' } };
      clusters['spoke'] = at('fleet', { clusterName: 'spoke' });
      clusters['kept'] = at('kept', { clusterName: 'spoke' });
      clusters['throttled'] = at('throttled', { clusterName: 'throttled' });
      clusters['away'] = at('away', { clusterName: 'spoke' });
      clusters['by-login'] = at('by-login', { clusterName: 'spoke' });
      clusters['with-certificate'] = at('configs', { name: 'kc', key: 'value', namespace: 'elsewhere' });
      for (const name of Object.keys(bad)) {
        clusters[name] = at('fleet', { clusterName: name });
      }
      for (const name of Object.keys(badKubeconfigs)) {
        clusters[name] = at('configs', { name, key: 'value' });
      }
      api.serve(path('spoke'), secret('spoke', { token: `${token}\n` }));
    },
  });
  await stage.setSecrets();
  const user = {
    'client-certificate-data': base64(client.chainPem),
    'client-key-data': base64(client.keyPem),
  };
  stage.api.serve(path('kc'), secret('kc', { value: kubeconfig({ user }) }));
  stage.api.serve(path('moved'), secret('moved', { value: kubeconfig({ cluster: { server: inside } }) }));
  stage.api.serve(path('throttled'), failure(429, { 'retry-after': '30' }));
  for (const [name, { answer }] of Object.entries(bad)) {
    stage.api.serve(path(name), answer());
  }
  for (const [name, { text }] of Object.entries(badKubeconfigs)) {
    stage.api.serve(path(name), secret(name, { value: text() }));
  }
});
afterAll(async () => {
  await stage?.dispose();
  await spoke?.dispose();
});

/** As client-go asks for a cluster’s credential. */
async function ask(account: string, cluster: string) {
  const told = stage.execInfo({
    cluster: { server: spoke.server, 'certificate-authority-data': base64(spoke.caPem) },
  });
  const done = await stage.ask(account, told, { args: ['--cluster', cluster] });
  said.push({ where: cluster, bytes: Buffer.from(done.stderr) });
  return done;
}

const readings = (name: string) =>
  stage.api.requests.filter((each) => each.path.endsWith(`/secrets/${name}`));

const { newest: kubectl } = findKubectls();

describe('a Secret of a hub', () => {
  const getPods = async (context: string) => {
    const file = await stage.writeKubeconfig();
    const args = ['--context', context, 'get', 'pods', '-o', 'name'];
    const done = await stage.kubectl(kubectl, file, args);
    mustBeGood(done);
    expect(done.stdout).toContain('pod/');
  };

  test('has the token with which kubectl lists pods', async () => {
    stage.api.forgetRequests();
    await getPods('spoke');
    expect(spoke.requests.at(-1)).toMatchObject({ user: 'spoke-user', status: 200 });
    // The hub’s own credential, for that one Secret, once for the one kubectl.
    expect(stage.api.requests.map(({ path, user }) => [path, user])).toEqual([
      ['/api/v1/namespaces/fleet/secrets/spoke', 'bot'],
    ]);
  });

  test('has a kubeconfig with a certificate; the namespace that its cluster states is ignored', async () => {
    const { clientCertificateData, clientKeyData, token } = credentialIn(
      await ask('configs', 'with-certificate'),
    );
    expect([clientCertificateData, clientKeyData, token]).toEqual([
      client.chainPem,
      client.keyPem,
      undefined,
    ]);
  });

  test('is read for each client, without an expiry; with cacheSeconds once for all', async () => {
    stage.api.forgetRequests();
    expect(credentialIn(await ask('fleet', 'spoke'))).toEqual({ token });
    stage.api.forgetRequests();
    await getPods('spoke');
    await getPods('spoke');
    expect(readings('spoke')).toHaveLength(2);
    await getPods('kept');
    await getPods('kept');
    expect(readings('spoke')).toHaveLength(3);
  });

  test('is read with the login of its hub, and without one says which login it needs', async () => {
    const before = await ask('by-login', 'by-login');
    expect(before.code).toBe(exitCodes.loginNeeded);
    expect(before.stderr).toMatch(/the hub prod can’t be asked for a Secret: corp needs a login/);
    expect(before.stderr).toContain('lanyard login corp');
    await stage.logIn();
    expect(credentialIn(await ask('by-login', 'by-login')).token).toBe(token);
    expect(readings('spoke').at(-1)).toMatchObject({ user: 'alice@example.com' });
  });

  test.each([
    ['from-profile', 'spoke'],
    ['moved', 'moved'],
  ])('serves a cluster that came from a profile alone: %s', async (name, ofSecret) => {
    await talk(stage.onTerminal(['inventory', 'use', name]), ['[y/N]', 'y']);
    stage.api.forgetRequests();
    await getPods(name);
    expect(readings(ofSecret)).toHaveLength(1);
    expect(spoke.requests.at(-1)).toMatchObject({ user: 'spoke-user', status: 200 });
  });
});

describe('what can’t be used', () => {
  test.each(Object.entries(bad))('%s', async (name, { says }) => {
    const done = await ask('fleet', name);
    expect([done.code, done.stdout]).toEqual([exitCodes.provider, '']);
    expect(done.stderr).toMatch(says);
  });

  test.each(Object.entries(badKubeconfigs))('a kubeconfig: %s', async (name, { says }) => {
    const done = await ask('configs', name);
    expect([done.code, done.stdout]).toEqual([exitCodes.provider, '']);
    expect(done.stderr).toMatch(says);
  });

  test('a hub that asks to wait is left alone, whichever cluster it is for', async () => {
    const first = await ask('throttled', 'throttled');
    expect(first.stderr).toMatch(/too many requests, and asks to wait \(429\)/);
    const second = await ask('throttled', 'throttled');
    expect(second.stderr).toMatch(/asked to be left alone; try again in (2|3)\d s/);
    expect(readings('throttled')).toHaveLength(1);
  });

  test('a hub that takes no credential', async () => {
    stage.api.rejectAll(true);
    const done = await ask('fleet', 'spoke');
    stage.api.rejectAll(false);
    expect(done.code).toBe(exitCodes.provider);
    expect(done.stderr).toMatch(/the hub hub doesn’t take the credential of bot \(401\)/);
  });

  test('a hub that isn’t there', async () => {
    const done = await ask('away', 'away');
    expect(done.code).toBe(exitCodes.provider);
    expect(done.stderr).toMatch(
      /the hub gone can’t be asked for a Secret: 127\.0\.0\.1:1 refuses the connection/,
    );
  });
});

describe('the command line', () => {
  const add = (...args: string[]) => stage.lanyard(['account', 'add', 'new', ...args]);

  test.each<[string, string[], RegExp]>([
    ['no namespace', ['--secret-reader', 'hub'], /it needs --namespace/],
    ['a bad namespace', ['--secret-reader', 'hub', '--namespace', 'A/b'], /--namespace: expected lower-case/],
    ['a bad key', ['--secret-reader', 'hub', '--namespace', 'a', '--key', '..'], /--key: expected letters/],
    [
      'a key where clusters say it',
      ['--kubeconfig-secret-reader', 'hub', '--namespace', 'a', '--key', 'b'],
      /--key: each cluster’s execConfig names/,
    ],
    ['a bad time', ['--secret-reader', 'hub', '--namespace', 'a', '--cache', '0'], /--cache takes seconds/],
    ['an unknown hub', ['--secret-reader', 'none', '--namespace', 'a'], /there is no cluster none/],
  ])('refuses %s', async (_, args, text) => {
    const done = await add(...args);
    expect(done.code).toBe(exitCodes.usage);
    expect(done.stderr).toMatch(text);
  });

  test('adds one, which shows what deserves a second look, and a cluster that says its Secret', async () => {
    const added = await add('--secret-reader', 'hub', '--namespace', 'fleet', '--cache', '60');
    expect(added.code).toBe(exitCodes.pending);
    expect(added.stderr).toContain('pending approval');
    const terminal = stage.onTerminal(['confirm', 'new']);
    await terminal.waitForText('Reads Secrets of a cluster');
    await terminal.dispose();
    const cluster = (execConfig: string) =>
      stage.lanyard([
        ...['cluster', 'add', 'newer', '--server', 'https://newer', '--account', 'new'],
        ...['--exec-config', execConfig],
      ]);
    expect((await cluster('{')).stderr).toContain('--exec-config: expected JSON');
    expect((await cluster('{}')).stderr).toContain('has no execConfig.clusterName');
    expect((await cluster('{"clusterName":"newer"}')).stderr).toContain('pending approval');
  });

  test('shows the state of one, and what the doctor finds', async () => {
    const list = await stage.lanyard(['account', 'list', '--json']);
    const accounts: { name: string; kind: string; state: string; problem: string | null }[] = JSON.parse(
      list.stdout,
    );
    expect(accounts.find(({ name }) => name === 'away')).toMatchObject({
      kind: 'secretReader',
      state: 'failing',
      problem: expect.stringContaining('the hub gone can’t be asked'),
    });
    const doctor = await stage.lanyard(['doctor', '--json']);
    const findings: { subject: string | null; check: string; level: string; message: string }[] = JSON.parse(
      doctor.stdout,
    ).findings;
    expect(findings.filter(({ subject, check }) => subject === 'configs' && check === 'account.hub')).toEqual(
      [
        expect.objectContaining({
          level: 'ok',
          message: 'it reads Secrets in the namespace fleet of the hub hub',
        }),
      ],
    );
    said.push(
      { where: 'list', bytes: Buffer.from(list.stdout) },
      { where: 'doctor', bytes: Buffer.from(doctor.stdout) },
    );
  });
});

/** KEP-5339/metrics */
test('credentials are counted by the access provider that their account is for', async () => {
  const { stdout } = await stage.lanyard(['metrics']);
  const of = (state: string) =>
    new RegExp(
      `^lanyard_clusterprofile_credentials_total{provider="secretreader",state="${state}"} (\\d+)$`,
      'm',
    );
  expect(Number(of('obtained').exec(stdout)?.[1])).toBeGreaterThan(2);
  expect(Number(of('failed').exec(stdout)?.[1])).toBeGreaterThanOrEqual(Object.keys(bad).length);
  expect(stdout).toMatch(
    /^lanyard_clusterprofile_credential_duration_seconds_count{provider="secretreader"} \d+$/m,
  );
});

test('while locked, the hub is asked for nothing', async () => {
  mustBeGood(await stage.lanyard(['lock']));
  stage.api.forgetRequests();
  expect((await ask('kept', 'kept')).code).toBe(exitCodes.locked);
  expect(readings('spoke')).toEqual([]);
});

test('nothing of a Secret is in an error, a log or a file', () => {
  const canaries: Canary[] = [
    { name: 'token', value: token },
    { name: 'neighbour', value: neighbour },
    { name: 'key', value: client.keyPem },
  ];
  expect(findCanaries(canaries, [{ where: 'itself', bytes: Buffer.from(token) }])).not.toEqual([]);
  const logs = { where: 'log', bytes: Buffer.from(stage.agentLogs()) };
  expect(findCanaries(canaries, [...said, logs, ...filesBelow(stage.home.path)])).toEqual([]);
  expect(said.map(({ bytes }) => bytes.toString()).join('')).not.toContain('canary');
});
