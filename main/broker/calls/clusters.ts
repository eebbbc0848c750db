import { clusterTarget } from '../../domain/target/cluster-target.ts';
import { clusterName } from '../../domain/target/target.ts';
import { createClusterDetailCalls } from '../../doors/ui/calls/cluster-detail-calls.ts';
import { createClustersCalls } from '../../doors/ui/calls/clusters-calls.ts';
import { createContextCalls } from '../../doors/ui/calls/context-calls.ts';
import { createRequestProxyCalls } from '../../doors/ui/calls/request-proxy-calls.ts';
import { createTerminalCalls } from '../../doors/ui/calls/terminal-calls.ts';
import { presentedAuthority } from '../../kubernetes/presented-authority.ts';
import type { Areas } from '../areas.ts';

export function clusterCalls(areas: Areas) {
  const { config, history, clock, log } = areas.deps;
  const { serving } = areas.served;
  const { directory, grants } = areas.credentials;
  const { gate } = areas.locking;
  const { files, contexts, contextsWatch, kubeconfigState, setCurrentContext } = areas.kubeconfigs;
  return {
    ...createClustersCalls({
      directory,
      grants,
      gate,
      kubeconfigs: { files, read: contexts },
      config,
      reach: areas.clusters.reach,
      presentedAuthority: (cluster, signal) => presentedAuthority(cluster, areas.credentials.reach, signal),
      clock,
      log,
    }),
    ...createClusterDetailCalls({
      config: serving,
      history,
      gate,
      directory,
      look: (account, cluster) => grants.look(account, clusterTarget(cluster)),
      variablesInUse: ({ name, config }) => grants.variablesInUse(config.account, clusterName(name)),
      peek: (account, cluster, signal) => grants.peek(account, clusterTarget(cluster), signal),
      whoAmI: areas.clusters.whoAmI,
    }),
    ...createRequestProxyCalls({
      requestProxy: areas.requestProxy,
      config: serving,
      clock,
    }),
    ...createTerminalCalls({
      config: serving,
      directory,
      contextsWatch,
      terminals: areas.deps.terminals,
      windows: areas.consent.windows,
      writeKubeconfig: areas.kubeconfigs.writeForTerminal,
    }),
    ...createContextCalls({
      contextsWatch,
      kubeconfigState,
      setCurrentContext,
      config: serving,
      windows: areas.consent.windows,
    }),
  };
}
