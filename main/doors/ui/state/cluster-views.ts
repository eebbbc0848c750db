import type { Status } from '../../../access/status.ts';
import type { ClusterContext, ClusterView } from '../../../contract/ui/state.ts';
import { calledInQuestion, clusterMark } from '../../../domain/naming/cluster-mark.ts';
import { clusterKey } from '../../../domain/target/target.ts';
import type { Grants } from '../../../grants/grants.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import { indexCredentials } from './credential-index.ts';
import { asRenewed, isByHand, keptByAccount } from './kept-credential.ts';
import { problemText } from './problem-text.ts';
import type { RecentEvents } from './recent-events.ts';

export interface ClusterViewsDeps {
  config: Pick<ConfigStore, 'current'>;
  grants: Pick<Grants, 'overview'>;
  recent: Pick<RecentEvents, 'seed' | 'lastCall' | 'laneVersion'>;
  /** Of an approved cluster; null: it isn’t, or it can’t be told. */
  contextOf(cluster: string): ClusterContext | null;
}

/** The section `clusters`: each cluster of config.yaml with its health. Takes time in proportion to their number. */
export function clusterViews(
  status: Status,
  { config, grants, recent, contextOf }: ClusterViewsDeps,
): ClusterView[] {
  const { clusters, settings } = config.current();
  const accounts = new Map(status.accounts.map((account) => [account.name, account]));
  const held = indexCredentials(grants.overview());
  recent.seed([...clusters.keys()].map(clusterKey));
  return status.clusters.map((cluster) => {
    const { name, account } = cluster;
    const { config: own, origin } = clusters.get(name) ?? {};
    const audience = own?.audience ?? null;
    const of = accounts.get(account) ?? null;
    const known = { name, account, audience };
    const state = cluster.state as ClusterView['state'];
    const byHand = of !== null && isByHand(of);
    const credential = held.of(known) ?? keptByAccount(cluster, audience, of);
    return {
      name,
      displayName: own?.displayName ?? null,
      aliases: own?.aliases ?? [],
      labels: own?.labels ?? {},
      mark: own ? clusterMark(name, own, settings.appearance.colors) : null,
      nameMark: own ? calledInQuestion(name, own, settings.appearance.colors).mark : null,
      server: cluster.server,
      origin: origin ? { inventory: origin.inventory, namespace: origin.namespace, name: origin.name } : null,
      account,
      kind: of?.kind ?? null,
      state,
      isPending: cluster.pending,
      problem: problemText(cluster, state, of, credential?.trouble),
      credential: asRenewed(credential, byHand),
      byHand,
      audience,
      approval: own?.approval ?? 'never',
      isInsecure: own?.insecureSkipTlsVerify === true,
      isProxied: own?.proxy !== undefined,
      context: contextOf(name),
      lastCall: recent.lastCall(clusterKey(name)),
      laneVersion: recent.laneVersion(known),
    };
  });
}
