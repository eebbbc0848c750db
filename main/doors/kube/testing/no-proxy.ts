import type { ProxyEntrance } from '../../../ports/request-proxy.ts';

/** For tests without a proxied cluster. */
export const noProxy: ProxyEntrance = {
  knownPlace: () => null,
  place: () => Promise.reject(new Error('no cluster is proxied')),
  wayIn: () => Promise.reject(new Error('no cluster is proxied')),
  clientListener: () => Promise.reject(new Error('no cluster is proxied')),
  ownWay: () => Promise.reject(new Error('no cluster is proxied')),
  obtained: () => undefined,
};
