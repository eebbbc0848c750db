import Registry from 'prom-client/lib/registry.js';
import { expect, test } from 'vitest';
import { passedRequest } from '../../ports/testing/passed-request.ts';
import { createRequestProxyMetrics } from './request-proxy-metrics.ts';

async function samples(use: (proxy: ReturnType<typeof createRequestProxyMetrics>) => void, isRunning = true) {
  const registry = new Registry();
  const proxy = createRequestProxyMetrics(
    {
      isKnown: (_, name) => name === 'prod',
      requestProxy: async () => ({
        isRunning,
        open: isRunning ? [{ cluster: 'prod' }, { cluster: 'prod' }] : [],
        listeners: isRunning ? [{ cluster: 'prod' }] : [],
        connections: isRunning ? 1 : 0,
      }),
    },
    [registry],
  );
  use(proxy);
  const lines = (await registry.metrics()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket'));
}

test('requests are counted by cluster, method and status, with times, bytes, and what is open', async () => {
  const lines = await samples((proxy) => {
    proxy.passed(passedRequest({ sentMicroseconds: 400, answeredMicroseconds: 20_000 }));
    proxy.passed(
      passedRequest({ bytesUp: 10, sentMicroseconds: null, answeredMicroseconds: null, status: 0 }),
    );
    proxy.passed(passedRequest({ status: 502, fault: 'prod can’t be reached' }));
    proxy.listenerOpened('prod');
    proxy.listenerOpened('prod');
    proxy.lost(3);
    proxy.crashed();
  });
  expect(lines).toEqual(
    expect.arrayContaining([
      'lanyard_proxy_requests_total{cluster="prod",method="GET",code="200"} 1',
      'lanyard_proxy_requests_total{cluster="prod",method="GET",code="<error>"} 1',
      'lanyard_proxy_requests_total{cluster="prod",method="GET",code="502"} 1',
      'lanyard_proxy_errors_total{cluster="prod",code="502"} 1',
      'lanyard_proxy_transmit_bytes_total{cluster="prod"} 10',
      'lanyard_proxy_receive_bytes_total{cluster="prod"} 15360',
      'lanyard_proxy_response_duration_seconds_count{cluster="prod"} 1',
      'lanyard_proxy_added_latency_seconds_count{cluster="prod"} 2',
      'lanyard_proxy_restarts_total 1',
      'lanyard_proxy_lost_requests_total 3',
      'lanyard_proxy_up 1',
      'lanyard_proxy_listeners{cluster="prod"} 1',
      'lanyard_proxy_listeners_opened_total{cluster="prod"} 2',
      'lanyard_proxy_connections 1',
      'lanyard_proxy_open_requests{cluster="prod"} 2',
    ]),
  );
});

test('no program makes up labels', async () => {
  const lines = await samples((proxy) => {
    for (let count = 0; count < 50; count++) {
      proxy.passed(
        passedRequest({ cluster: `c${count}`, method: `M${count}`, status: 600 + count, path: `/${count}` }),
      );
    }
  }, false);
  expect(lines.filter((line) => line.includes('requests_total{'))).toEqual([
    'lanyard_proxy_requests_total{cluster="other",method="other",code="other"} 50',
  ]);
  expect(lines).toContain('lanyard_proxy_up 0');
});
