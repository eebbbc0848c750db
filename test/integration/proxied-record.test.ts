import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findKubectls, type Kubectl } from '../support/kubectl.ts';
import { mustBeGood, Stage, until } from '../support/stage.ts';
import { startFront, type ZeroTrustFront } from '../support/zero-trust-front.ts';

/** What is kept of requests through the request proxy, with the whole broker and kubectl (rule: everything-recorded). */
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
        demands: { 'cf-access-client-secret': canaries.header },
      });
      config.accounts['pair'] = { staticToken: {} };
      const certificateAuthority = home.write('front-ca.pem', front.caPem);
      const cluster = { certificateAuthority, account: 'bot' };
      config.clusters['fronted'] = {
        ...cluster,
        server: front.server,
        proxy: { chain: [{ set: 'CF-Access-Client-Secret', account: 'pair' }] },
      };
      // Port 1 takes no connection.
      config.clusters['away'] = { ...cluster, server: 'https://127.0.0.1:1', proxy: {} };
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

const lanyard = async (...args: string[]) => {
  const done = await stage.lanyard(args);
  mustBeGood(done);
  return done.stdout;
};
const run = (context: string, ...args: string[]) =>
  stage.kubectl(kubectl, kubeconfig, ['--context', context, ...args]);

async function requests(): Promise<Record<string, unknown>[]> {
  const stdout = await lanyard('audit', '--requests', '--json');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const recorded = (method: string, path: string) =>
  until(
    async () => (await requests()).find((each) => each['method'] === method && each['path'] === path),
    path,
  );

test('a request is on record with its caller, status, time and bytes, and counted', async () => {
  mustBeGood(await run('fronted', 'get', 'pods', '-l', `app=${canaries.query}`));
  expect(front.seen.some(({ url }) => url.includes(canaries.query))).toBe(true);
  expect(await recorded('GET', '/api/v1/namespaces/default/pods')).toMatchObject({
    kind: 'request',
    cluster: 'fronted',
    pid: expect.any(Number),
    program: expect.stringMatching(/^kubectl/),
    status: 200,
    answeredBy: 'cluster',
    bytesUp: 0,
    bytesDown: expect.any(Number),
  });
  const stdout = await lanyard('metrics');
  expect(stdout).toMatch(/^lanyard_proxy_requests_total\{cluster="fronted",method="GET",code="200"\} [1-9]/m);
  expect(stdout).toMatch(/^lanyard_proxy_added_latency_seconds_count\{cluster="fronted"\} [1-9]/m);
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
  await run('fronted', 'create', '--raw', '/api/v1/namespaces/default/configmaps', '-f', body);
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
