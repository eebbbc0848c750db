import { clusterTarget } from '../../domain/target/cluster-target.ts';
import { createClusterDetailCalls } from '../../doors/ui/calls/cluster-detail-calls.ts';
import { createClusterEditingCalls } from '../../doors/ui/calls/cluster-editing-calls.ts';
import { createClustersCalls } from '../../doors/ui/calls/clusters-calls.ts';
import { createContextCalls } from '../../doors/ui/calls/context-calls.ts';
import { createConfigEntries } from '../../operations/config-entries.ts';
import type { Areas } from '../areas.ts';

export function clusterCalls(areas: Areas) {
  const { config, vault, clock, history } = areas.deps;
  const { bindings, serving } = areas.served;
  const { recorder } = areas.records;
  const { directory, grants } = areas.credentials;
  const { gate } = areas.locking;
  const { watched, contexts, contextsWatch, kubeconfigState, setCurrentContext } = areas.kubeconfigs;
  return {
    ...createClustersCalls({ directory, grants, gate, kubeconfigs: { files: watched, read: contexts } }),
    ...createClusterDetailCalls({
      config: serving,
      history,
      gate,
      directory,
      look: (account, cluster) => grants.look(account, clusterTarget(cluster)),
      peek: (account, cluster, signal) => grants.peek(account, clusterTarget(cluster), signal),
      whoAmI: areas.clusters.whoAmI,
    }),
    ...createClusterEditingCalls({
      config,
      bindings,
      vault,
      clusterEntries: createConfigEntries('cluster', { config, bindings, clock, vault, recorder }),
    }),
    ...createContextCalls({ contextsWatch, kubeconfigState, setCurrentContext }),
  };
}
