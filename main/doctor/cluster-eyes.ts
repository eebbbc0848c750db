import type { ProxyEnvironment } from '../domain/choose-proxy.ts';
import { reachCluster, whoAmI } from '../kubernetes/who-am-i.ts';
import type { Account, Obtained } from '../ports/account.ts';
import type { LoadedCluster } from '../ports/config-store.ts';
import type { ClusterCheckDeps } from './clusters/cluster-check.ts';

/** How clusters are looked at: with the credential held for each. `environment`: the broker's own, for its proxies. */
export function createClusterEyes(
  grants: { peek(account: Account, cluster: LoadedCluster, signal: AbortSignal): Promise<Obtained> },
  environment: ProxyEnvironment,
): Pick<ClusterCheckDeps, 'credential' | 'reach' | 'whoAmI'> {
  return {
    credential: (account, cluster, signal) => grants.peek(account, cluster, signal),
    reach: (cluster, signal) => reachCluster(cluster, environment, signal),
    whoAmI: (cluster, credential, signal) => whoAmI(cluster, credential, environment, signal),
  };
}
