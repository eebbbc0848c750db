import type { LoadedRegistry } from '../loaded-config.ts';
import { canonical } from './cluster-shape.ts';

/**
 * All of a registry that decides where a credential may go and whose, as JSON with sorted keys
 * (rule: confirmed-binding). `cacheDuration` is in it: what a kubelet keeps can’t be recalled.
 */
export function registryShape({ config }: LoadedRegistry): string {
  return canonical({
    account: config.account,
    matchImages: [...new Set(config.matchImages)].sort(),
    userName: config.userName,
    audience: config.audience,
    approval: config.approval === 'never' ? undefined : config.approval,
    cacheDuration: config.cacheDuration === '0s' ? undefined : config.cacheDuration,
    calledAs: config.calledAs,
    tokenServers: config.tokenServers && [...new Set(config.tokenServers)].sort(),
  });
}
