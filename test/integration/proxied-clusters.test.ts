import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonLines } from '../support/json-lines.ts';
import { findKubectls, type Kubectl } from '../support/kubectl.ts';
import { run as runProgram } from '../support/processes.ts';
import { answerTo, statedIn } from '../support/proxied-stage.ts';
import { credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';
import { startFront, type ZeroTrustFront } from '../support/zero-trust-front.ts';

/**
 * Clusters behind the request proxy, from config.yaml to kubectl, with the whole broker (docs/adr/0030), and what is kept of
 * their requests (rule: everything-recorded).
 */
const canaries = { query: 'canary-in-query', body: 'canary-in-body', header: 'canary-in-header' };
let stage: Stage;
let front: ZeroTrustFront;
let kubectl: Kubectl;
let kubeconfig: string;

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, { api, home }) => {
      front = await startFront({
        server: api.server,
        caPem: api.caPem,
        demands: { 'cf-access-client-id': 'id.access', 'cf-access-client-secret': canaries.header },
      });
      config.accounts['pair'] = { staticToken: {} };
      const chain = [
        { set: 'CF-Access-Client-Id', value: 'id.access' },
        { set: 'CF-Access-Client-Secret', account: 'pair' },
      ];
      const certificateAuthority = home.write('front-ca.pem', front.caPem);
      for (const account of ['corp', 'bot']) {
        config.clusters[`fronted-${account}`] = {
          server: front.server,
          certificateAuthority,
          account,
          proxy: { chain },
        };
      }
      // Port 1 takes no connection.
      config.clusters['away'] = {
        certificateAuthority,
        server: 'https://127.0.0.1:1',
        account: 'bot',
        proxy: {},
      };
      config.clusters['carded'] = {
        server: api.server,
        certificateAuthority: home.write('api-ca.pem', api.caPem),
        account: 'ops',
        proxy: {},
      };
    },
  });
  await stage.setSecrets();
  mustBeGood(await stage.lanyard(['secret', 'set', 'pair'], { input: canaries.header }));
  kubectl = findKubectls().newest;
  kubeconfig = await stage.writeKubeconfig();
});
afterAll(async () => {
  await stage?.dispose();
  await front?.dispose();
});

const run = (context: string, ...args: string[]) =>
  stage.kubectl(kubectl, kubeconfig, ['--context', context, ...args]);
const get = (context: string, ...more: string[]) => run(context, 'get', 'pods', ...more);

const stated = (name: string) => statedIn(kubeconfig, name);

/** The helper’s words for a cluster. */
const helper = (cluster: string) => [
  stage.home.file('helper'),
  'kube-credential',
  '--account',
  'bot',
  '--cluster',
  cluster,
];

// KEP-2718/kubeconfig-alone, KEP-2718/first-use, KEP-2718/request-change
test('kubectl gets through a zero-trust front with the header pair and the cluster’s own token', async () => {
  const done = await get('fronted-bot');
  mustBeGood(done);
  expect(front.seen.at(-1)?.headers.authorization).toBe(`Bearer ${stage.botToken}`);
  expect(stated('fronted-bot')['server']).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/c\/fronted-bot$/);
});

test('the doctor says where the request proxy listens, and what keeps clients from it', async () => {
  mustBeGood(await get('fronted-bot'));
  const { port } = new URL(String(stated('fronted-bot')['server']));
  const env = {
    KUBECONFIG: kubeconfig,
    HTTPS_PROXY: 'http://ann:hidden@127.0.0.1:9',
    NO_PROXY: '',
    no_proxy: '',
  };
  const { stdout } = await stage.lanyard(['doctor', '--json'], { env });
  const { findings } = JSON.parse(stdout) as {
    findings: { group: string; check: string; message: string }[];
  };
  const ofProxy = findings.filter(({ group }) => group === 'proxy');
  expect(ofProxy).toMatchObject([
    { check: 'proxy.listener', level: 'ok', message: `it listens on 127.0.0.1:${port}` },
    { check: 'proxy.noProxy', level: 'warning' },
  ]);
  expect(stdout).not.toContain('hidden');
});

test('kubectl shows why a token of the user’s own is refused', async () => {
  const done = await get('fronted-bot', '--token', stage.botToken);
  expect(done.code).not.toBe(0);
  expect(done.stderr).toContain('leave out --token, and use the kubeconfig that Lanyard writes');
});

test('a client certificate of the vault is for the proxy’s connection', async () => {
  mustBeGood(await get('carded'));
  expect(stage.api.requests.at(-1)).toMatchObject({ user: 'olga', via: 'certificate' });
});

describe('the way in', () => {
  test('is given for the proxy’s address and CA alone, and is no credential of the cluster’s', async () => {
    const told = (cluster: object) => ({ ...stage.execInfo(), spec: { interactive: false, cluster } });
    const ask = (cluster: object) => stage.ask('bot', told(cluster), { args: ['--cluster', 'fronted-bot'] });
    const given = credentialIn(await ask(stated('fronted-bot')));
    expect(given.token).not.toContain(stage.botToken);
    for (const other of [
      stated('fronted-corp'),
      stated('prod-bot'),
      {
        ...stated('fronted-bot'),
        'certificate-authority-data': stated('prod-bot')['certificate-authority-data'],
      },
      { server: front.server, 'certificate-authority-data': Buffer.from(front.caPem).toString('base64') },
    ]) {
      const refused = await ask(other);
      expect(refused).toMatchObject({ code: 13, stdout: '' });
      expect(refused.stderr).toContain('hint: its requests go through Lanyard’s request proxy');
    }
    // By its address alone, as other kubeconfigs have it.
    const found = credentialIn(await stage.ask('bot', told(stated('fronted-bot'))));
    expect(found.token).toMatch(/^[\w-]+\.[\w-]+$/);
  });

  test('ends with its process', async () => {
    const { token, expirationTimestamp } = credentialIn(
      await runProgram('/bin/sh', ['-c', `"$0" "$@"; exit $?`, ...helper('fronted-bot')], {
        env: {
          ...stage.home.env,
          KUBERNETES_EXEC_INFO: JSON.stringify({
            ...stage.execInfo(),
            spec: { interactive: false, cluster: stated('fronted-bot') },
          }),
        },
      }),
    );
    expect(expirationTimestamp).toBeUndefined();
    expect(await answerTo(stated('fronted-bot'), token ?? '')).toMatch(/^401 lanyard: .*has ended/);
  });
});

test('a login is asked for at the terminal, and the proxy’s clients never see the token', async () => {
  const refused = await get('fronted-corp');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('lanyard login corp');
  await stage.logIn('corp', 'alice');
  mustBeGood(await get('fronted-corp'));
  expect(stage.api.requests.at(-1)).toMatchObject({ user: expect.stringContaining('alice'), via: 'token' });
});

test('a token that the cluster rejects is renewed, and the person never sees it', async () => {
  const { headers } = front.seen.at(-1) ?? { headers: { authorization: '' } };
  stage.api.rejectTokens(String(headers.authorization).replace('Bearer ', ''));
  const done = await get('fronted-corp');
  mustBeGood(done);
  expect(done.stderr).toBe('');
  stage.api.acceptAll();
});

const lanyard = async (...args: string[]) => {
  const done = await stage.lanyard(args);
  mustBeGood(done);
  return done.stdout;
};
async function requests(): Promise<Record<string, unknown>[]> {
  const stdout = await lanyard('audit', '--requests', '--json');
  return jsonLines(stdout);
}

const recorded = (method: string, path: string) =>
  until(
    async () => (await requests()).find((each) => each['method'] === method && each['path'] === path),
    path,
  );

test('a request is on record with its caller, status, time and bytes, and counted', async () => {
  mustBeGood(await run('fronted-bot', 'get', 'pods', '-l', `app=${canaries.query}`));
  expect(front.seen.some(({ url }) => url.includes(canaries.query))).toBe(true);
  expect(await recorded('GET', '/api/v1/namespaces/default/pods')).toMatchObject({
    kind: 'request',
    cluster: 'fronted-bot',
    pid: expect.any(Number),
    program: expect.stringMatching(/^kubectl/),
    status: 200,
    answeredBy: 'cluster',
    bytesUp: 0,
    bytesDown: expect.any(Number),
  });
  const stdout = await lanyard('metrics');
  expect(stdout).toMatch(
    /^lanyard_proxy_requests_total\{cluster="fronted-bot",method="GET",code="200"\} [1-9]/m,
  );
  expect(stdout).toMatch(/^lanyard_proxy_added_latency_seconds_count\{cluster="fronted-bot"\} [1-9]/m);
  expect(stdout).toMatch(/^lanyard_proxy_up 1$/m);
  expect(stdout).toMatch(/^lanyard_proxy_connections \d+$/m);
  // Without --requests, the record of credentials is as before.
  expect(await lanyard('audit', '--json')).not.toContain('"kind":"request"');
});

test('a cluster that can’t be reached: the proxy’s own answer, in the record and the log', async () => {
  expect((await run('away', 'get', '--raw', '/healthz')).code).not.toBe(0);
  expect(await recorded('GET', '/healthz')).toMatchObject({ status: 502, answeredBy: 'proxy' });
  await until(() => stage.agent.log().match('"proxy.answered"'), 'the warning');
});

test('nothing of queries, bodies and headers is kept', async () => {
  const body = stage.home.write(
    'body.json',
    JSON.stringify({ kind: 'ConfigMap', data: { a: canaries.body } }),
  );
  await run('fronted-bot', 'create', '--raw', '/api/v1/namespaces/default/configmaps', '-f', body);
  expect(await recorded('POST', '/api/v1/namespaces/default/configmaps')).toMatchObject({
    bytesUp: expect.any(Number),
  });
  const kept = readdirSync(stage.home.path)
    .filter((name) => name.startsWith('history.db'))
    .map((name) => readFileSync(join(stage.home.path, name), 'latin1'));
  expect(kept.join('')).toContain('/api/v1/namespaces/default/configmaps');
  const stdout = await lanyard('metrics');
  const all = [...kept, stdout, stage.agent.log()].join('\n');
  for (const secret of [...Object.values(canaries), stage.botToken]) {
    expect(all).not.toContain(secret);
  }
});
