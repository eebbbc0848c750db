import { clusterTarget } from '../domain/target/cluster-target.ts';
import type { Grants } from '../grants/grants.ts';
import { reachCluster, verdictOf, whoAmI } from '../kubernetes/who-am-i.ts';
import type { ProxyEnvironment } from '../platform/network/choose-proxy.ts';
import type { ClusterCheckDeps } from './clusters/cluster-check.ts';

/**
 * Access to clusters with each one’s cached credential. What a cluster says counts like an answer to a client
 * (rule: inferred-401). `environment`: the broker’s, for its proxies.
 */
export function createClusterAccess(
  grants: Pick<Grants, 'peek' | 'saw'>,
  environment: ProxyEnvironment,
): Pick<ClusterCheckDeps, 'credential' | 'reach' | 'whoAmI'> {
  return {
    credential: (account, cluster, signal) => grants.peek(account, clusterTarget(cluster), signal),
    reach: (cluster, signal) => reachCluster(cluster, environment, signal),
    whoAmI: async (cluster, credential, signal) => {
      const seen = await whoAmI(cluster, credential, environment, signal);
      await grants.saw(clusterTarget(cluster), credential, verdictOf(seen));
      return seen;
    },
  };
}
