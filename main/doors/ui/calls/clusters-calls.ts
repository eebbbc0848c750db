import { refusalError } from '../../../contract/broker-error.ts';
import { clusterTarget } from '../../../domain/target/cluster-target.ts';
import type { Grants } from '../../../grants/grants.ts';
import { type KubectlLineDeps, kubectlLine } from '../../../operations/kubectl-line.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import type { LoadedCluster } from '../../../ports/config-store.ts';
import type { UiHandlers } from '../handlers.ts';

export interface ClustersCallsDeps extends KubectlLineDeps {
  directory: Pick<Directory, 'account' | 'cluster' | 'clusters'>;
  grants: Pick<Grants, 'renewNow'>;
  gate: Gate;
}

/** The actions on a cluster of the list. */
export function createClustersCalls(
  deps: ClustersCallsDeps,
): Pick<UiHandlers, 'cluster.renew' | 'cluster.kubectlLine'> {
  const { directory, grants, gate } = deps;
  const clusterOf = (name: string): LoadedCluster => {
    const found = directory.cluster(name);
    if (!found.ok) {
      throw refusalError(found);
    }
    return found.cluster;
  };
  return {
    'cluster.renew': async ({ cluster: name }, { signal }) => {
      const locked = gate();
      if (locked) {
        throw refusalError(locked);
      }
      const cluster = clusterOf(name);
      const account = directory.account(cluster.config.account);
      if (!account.ok) {
        throw refusalError(account);
      }
      const renewed = await grants.renewNow(account.account, clusterTarget(cluster), signal);
      if (!renewed.ok) {
        throw refusalError(renewed);
      }
      const { expiresAt, noExpiry } = renewed.credential;
      return { expiresAt: noExpiry ? noExpiry.ownExpiry : expiresAt };
    },
    'cluster.kubectlLine': async ({ cluster: wanted }) => {
      // Also while locked, and for a cluster that isn’t approved: the command has no credential.
      const cluster = directory.clusters().find(({ name }) => name === wanted) ?? clusterOf(wanted);
      return { line: await kubectlLine(cluster, deps) };
    },
  };
}
