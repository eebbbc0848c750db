import { clusterTarget } from '../domain/target/cluster-target.ts';
import type { Grants } from '../grants/grants.ts';
import type { ClusterReach } from '../kubernetes/cluster-reach.ts';
import { reachCluster, verdictOf, whoAmI } from '../kubernetes/who-am-i.ts';
import type { ClusterCheckDeps } from './clusters/cluster-check.ts';

/**
 * Access to clusters with each one’s cached credential. What a cluster says counts like an answer to a client
 * (rule: inferred-401).
 */
export function createClusterAccess(
  grants: Pick<Grants, 'peek' | 'saw'>,
  reach: ClusterReach,
): Pick<ClusterCheckDeps, 'credential' | 'reach' | 'whoAmI'> {
  return {
    credential: (account, cluster, signal) => grants.peek(account, clusterTarget(cluster), signal),
    reach: (cluster, signal) => reachCluster(cluster, reach, signal),
    whoAmI: async (cluster, credential, signal) => {
      const seen = await whoAmI(cluster, credential, reach, signal);
      await grants.saw(clusterTarget(cluster), credential, verdictOf(seen));
      return seen;
    },
  };
}
