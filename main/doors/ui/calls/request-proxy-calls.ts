import { refusalError } from '../../../contract/broker-error.ts';
import { refuse } from '../../../contract/refusal.ts';
import { chainSteps } from '../../../domain/proxy/chain.ts';
import { stepParts } from '../../../domain/proxy/chain-words.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import { tryRequest } from '../../../operations/try-request.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ActiveConfig } from '../../../ports/config-store.ts';
import type { RequestProxy } from '../../../ports/request-proxy.ts';
import type { UiHandlers } from '../handlers.ts';

export interface RequestProxyCallsDeps {
  requestProxy: RequestProxy;
  config: Pick<ActiveConfig, 'current'>;
  clock: Pick<Clock, 'now'>;
}

/** More of them no one reads. */
const mostRequests = 200;

/** The request proxy on a cluster’s page. */
export function createRequestProxyCalls(
  deps: RequestProxyCallsDeps,
): Pick<UiHandlers, 'proxy.cluster' | 'proxy.end' | 'proxy.try'> {
  const { requestProxy, config } = deps;
  return {
    'proxy.cluster': async ({ cluster: name }) => {
      const { clusters } = config.current();
      const cluster = clusters.get(name);
      if (!cluster) {
        throw unknownName('cluster', name, clusters.keys());
      }
      const { proxy } = cluster.config;
      const requests = await requestProxy.requests(name);
      return {
        steps: proxy ? chainSteps(proxy).map(stepParts) : null,
        port: requestProxy.running()?.port ?? null,
        faults: requestProxy
          .faults()
          .filter((fault) => fault.cluster === null || fault.cluster === name)
          .map(({ text }) => text),
        requests: requests.slice(0, mostRequests),
        total: requests.length,
        listeners: requestProxy.listeners().filter(({ cluster: of }) => of === name).length,
      };
    },
    'proxy.end': async ({ cluster, id }) => {
      const open = await requestProxy.requests(cluster);
      const ended = open.some((request) => request.id === id)
        ? await requestProxy.endRequest(id)
        : refuse('notFound', 'proxy.request', 'that request is over');
      if (!ended.ok) {
        throw refusalError(ended);
      }
      return {};
    },
    'proxy.try': async ({ cluster, path }, { signal }) => {
      const done = await tryRequest(deps, cluster, path, signal);
      if (!done.ok) {
        throw refusalError(done);
      }
      return done.shown;
    },
  };
}
