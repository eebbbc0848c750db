import { expect, test } from 'vitest';
import { cluster } from '../../../contract/config/cluster.ts';
import { refuse } from '../../../contract/refusal.ts';
import { triedRequest } from '../../../domain/testing/a-tried-request.ts';
import type { ProxiedRequest } from '../../../ports/request-proxy.ts';
import { createRequestProxyCalls } from './request-proxy-calls.ts';

const watch: ProxiedRequest = {
  ...{ id: 7, cluster: 'prod', pid: 4711, program: 'k9s', method: 'GET', path: '/api/v1/pods' },
  ...{ startedAt: 1, bytesUp: 12, bytesDown: 99 },
};
const context = { signal: new AbortController().signal, progress: () => undefined };

const listener = { pid: 1, program: 'agent', url: 'unix:///a.sock', lockFile: null, openedAt: 0 };

function setUp(open: readonly ProxiedRequest[] = [watch]) {
  const [ended, tried]: [number[], string[]] = [[], []];
  const clusterOf = (name: string, fields: object) => ({
    name,
    config: cluster.parse({ server: 'https://a.example', account: 'bot', ...fields }),
  });
  const chain = [{ set: 'X-Key', account: 'pair', scheme: 'Key', audience: 'a' }, { remove: 'X-Gone' }];
  const clusters = [clusterOf('prod', { proxy: { chain } }), clusterOf('plain', {})];
  const calls = createRequestProxyCalls({
    requestProxy: {
      running: () => ({ port: 41_723, pid: 1 }),
      listeners: () => ['prod', 'far'].map((of, id) => ({ ...listener, id, cluster: of })),
      faults: () => [
        { cluster: null, text: 'any' },
        { cluster: 'prod', text: 'own' },
        { cluster: 'far', text: 'other' },
      ],
      requests: async (of) => open.filter((each) => of === null || each.cluster === of),
      endRequest: async (id) => {
        ended.push(id);
        return { ok: true };
      },
      try: async (name, path) => {
        tried.push(`${name} ${path}`);
        return name === 'prod'
          ? { ok: true, tried: triedRequest() }
          : refuse('notFound', 'proxy.none', `${name} doesn’t go through the request proxy`);
      },
    },
    clock: { now: () => 0 },
    config: { current: () => ({ clusters: new Map(clusters.map((each) => [each.name, each])) }) as never },
  });
  return { calls, ended, tried };
}

test('a cluster’s page has its steps, its faults and its requests', async () => {
  const { calls } = setUp([watch, { ...watch, id: 8, cluster: 'far' }]);
  expect(await calls['proxy.cluster']({ cluster: 'prod' }, context)).toEqual({
    steps: [
      ['Set X-Key: ', 'Key and the credential of ', { account: 'pair' }, ' for the audience a'],
      ['Remove X-Gone'],
    ],
    port: 41_723,
    faults: ['any', 'own'],
    requests: [watch],
    total: 1,
    listeners: 1,
  });
  expect(await calls['proxy.cluster']({ cluster: 'plain' }, context)).toMatchObject({
    steps: null,
    total: 0,
  });
  await expect(calls['proxy.cluster']({ cluster: 'constructor' }, context)).rejects.toMatchObject({
    code: 'cluster.unknown',
  });
});

test('many requests are counted, and the oldest are shown', async () => {
  const { calls } = setUp(Array.from({ length: 1_000 }, (_, id) => ({ ...watch, id })));
  const { requests, total } = await calls['proxy.cluster']({ cluster: 'prod' }, context);
  expect([requests.length, requests[0]?.id, total]).toEqual([200, 0, 1_000]);
});

test('a request of this cluster alone is ended', async () => {
  const { calls, ended } = setUp([watch, { ...watch, id: 8, cluster: 'far' }]);
  expect(await calls['proxy.end']({ cluster: 'prod', id: 7 }, context)).toEqual({});
  for (const id of [8, 9]) {
    await expect(calls['proxy.end']({ cluster: 'prod', id }, context)).rejects.toMatchObject({
      reason: 'notFound',
    });
  }
  expect(ended).toEqual([7]);
});

test('a tried request is told with the steps of config.yaml, and refused in its own words', async () => {
  const { calls, tried } = setUp();
  const shown = await calls['proxy.try']({ cluster: 'prod', path: '' }, context);
  expect(shown).toMatchObject({ cluster: 'prod', method: 'GET', statusWords: 'OK', advice: [] });
  await expect(calls['proxy.try']({ cluster: 'plain', path: '/x' }, context)).rejects.toMatchObject({
    code: 'proxy.none',
  });
  await expect(
    calls['proxy.try']({ cluster: 'prod', path: 'https://a.example' }, context),
  ).rejects.toMatchObject({ reason: 'usage' });
  expect(tried).toEqual(['prod /version', 'plain /x']);
});
