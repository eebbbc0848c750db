import type { ProxiedRequestView } from '../../../main/contract/ui/calls/request-proxy.ts';
import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import type { SampleWorld } from '../sample-world.ts';
import { hours, minutes, seconds } from '../spans.ts';
import { clusterOf } from './history-sample.ts';
import { sampleChain, sampleTry } from './tried-sample.ts';

export const requestProxySample = {
  'proxy.cluster': ({ cluster: name }, { world }) => {
    const { isProxied } = clusterOf(world, name);
    const requests = name === 'vendor' ? requestsIn(world) : [];
    const now = world.time.now();
    return {
      steps: isProxied ? sampleChain(name).map(({ does }) => does) : null,
      port: 31_723,
      faults: [],
      requests: requests.map((each) => ({
        ...each,
        bytesDown: each.bytesDown + Math.floor((now - each.startedAt) / 1000) * 173,
      })),
      total: requests.length,
      listeners: name === 'vendor' ? 1 : 0,
    };
  },
  'proxy.end': ({ id }, { world }) => {
    const requests = requestsIn(world);
    const at = requests.findIndex((each) => each.id === id);
    if (at < 0) {
      throw new SampleRefusal('that request is over');
    }
    requests.splice(at, 1);
    return {};
  },
  'proxy.try': async ({ cluster: name, path }, { world, wait }) => {
    const cluster = clusterOf(world, name);
    await wait(900);
    return sampleTry(cluster, path.trim() || '/version', world.time.now());
  },
} satisfies SomeHandlers;

function requestsIn(world: SampleWorld): ProxiedRequestView[] {
  return world.memory('proxied requests', () => {
    const now = world.time.now();
    const from = { pid: 48_213, program: 'k9s', method: 'GET', bytesUp: 0 };
    return [
      { ...from, id: 12, path: '/api/v1/pods', startedAt: now - hours(2), bytesDown: 4_214_112 },
      { ...from, id: 13, path: '/apis/apps/v1/deployments', startedAt: now - hours(2), bytesDown: 812_003 },
      {
        ...{ id: 31, pid: 50_120, program: 'kubectl', method: 'POST', bytesUp: 2_112, bytesDown: 9_410 },
        path: '/api/v1/namespaces/shop/pods/cart-7d9c6b9f4-x2x8p/exec',
        startedAt: now - minutes(4),
      },
      {
        ...{ id: 32, pid: 51_007, program: null, method: 'GET', bytesUp: 0, bytesDown: 0 },
        path: '/api/v1/nodes',
        startedAt: now - seconds(2),
      },
    ];
  });
}
