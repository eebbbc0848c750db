import type { ProxyEnvironment } from '../platform/network/choose-proxy.ts';
import type { ProxyEntrance } from '../ports/request-proxy.ts';

/** How Lanyard’s own requests reach clusters. */
export interface ClusterReach {
  /** The proxies that count where the cluster names none, as they do for kubectl. Absent: none. */
  environment?: ProxyEnvironment | undefined;
  /** The way through the request proxy. Absent: a proxied cluster can’t be asked. */
  ownWay?: ProxyEntrance['ownWay'] | undefined;
}
