import { plainAddress } from '../text/plain-address.ts';
import { visibleText } from '../text/visible-text.ts';
import { lostName } from './clean-name.ts';
import { policyOf } from './cluster-entry.ts';
import type { NamedCluster } from './cluster-names.ts';
import type { ImportedClusterEntry, PlannedCluster } from './import-plan.ts';
import type { KubeContext, MergedKubeconfig } from './kubeconfig.ts';
import { localProxyNotes } from './local-proxy.ts';
import type { FoundContext, LeftContext } from './look-at-context.ts';
import type { Mixture } from './mixed-files.ts';
import { numberedNotes, takenNotes } from './plan-notes.ts';

export type ImportedContext = FoundContext & { cluster: NamedCluster };

/** What becomes of each context, in their order. `chosen`: the names that the user wants, by context. */
export function plannedClusters(
  contexts: readonly (ImportedContext | LeftContext)[],
  { clusters }: Pick<MergedKubeconfig, 'clusters'>,
  { chosen, mixtureOf }: { chosen: ReadonlyMap<string, string>; mixtureOf(context: KubeContext): Mixture },
): PlannedCluster[] {
  const imported = new Map(
    contexts.flatMap((each): [string, ImportedContext][] =>
      'left' in each ? [] : [[each.context.name, each]],
    ),
  );
  return contexts.map((each) => {
    const { name, cluster: nameOfCluster, user, origin } = each.context;
    const cluster = clusters.get(nameOfCluster);
    const { note } = mixtureOf(each.context);
    const mixed = note === null ? [] : [note];
    const local = cluster === undefined ? [] : localProxyNotes(cluster);
    const common = {
      ...{ context: name, nameInFile: origin.name, cluster: nameOfCluster, user },
      ...{ file: origin.file, line: origin.line },
      server: shownServer(cluster?.server ?? ''),
    };
    if ('left' in each) {
      return { ...common, becomes: { left: each.left }, notes: [...mixed, ...local] };
    }
    // Contexts that share a cluster have its one entry.
    const first = imported.get(each.cluster.sharedWith ?? name) ?? each;
    const value = clusterEntry(first, each.account.account, each.cluster);
    const { replaces } = each.cluster;
    return {
      ...common,
      becomes: {
        ...each.cluster,
        replaces: replaces && shownServer(replaces.config.server),
        value,
        account: each.account.account,
        namespace: each.context.namespace,
      },
      notes: [
        ...each.made.notes,
        ...mixed,
        ...local,
        ...nameNotes(each.context, each.cluster, value.displayName, chosen.get(name)),
      ],
    };
  });
}

/** What the user calls the cluster stays: the replaced entry’s display name, or the context’s name where it is lost. */
function clusterEntry(
  { context, made }: { context: KubeContext; made: FoundContext['made'] },
  account: string,
  { exists, replaces }: NamedCluster,
): ImportedClusterEntry {
  const displayName = exists ? undefined : (replaces?.config.displayName ?? lostName(context.origin.name));
  return {
    ...made.value,
    account,
    ...(replaces && policyOf(replaces.config)),
    ...(displayName !== undefined && { displayName }),
  };
}

function nameNotes(
  { name, origin }: KubeContext,
  named: NamedCluster,
  displayName: string | undefined,
  wanted: string | undefined,
): string[] {
  const { cluster, sharedWith } = named;
  if (sharedWith !== null) {
    return [
      ...numberedNotes(name, origin),
      `the same cluster as the context ${visibleText(sharedWith, 200)}`,
    ];
  }
  const notes = [...takenNotes(wanted, cluster, named), ...numberedNotes(name, origin)];
  if (cluster === origin.name || cluster === name) {
    return notes;
  }
  return [
    ...notes,
    displayName === undefined
      ? `its name becomes ${cluster}: it was ${visibleText(origin.name, 200)}`
      : `its name becomes ${cluster}; ${visibleText(displayName, 200)} stays its display name`,
  ];
}

function shownServer(address: string): string {
  return visibleText(plainAddress(address), 300);
}
