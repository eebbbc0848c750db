import type { KubeContext, MergedKubeconfig, Origin } from '../../domain/kubeconfig.ts';
import type { ParsedCluster, ParsedKubeconfig, ParsedUser } from './parsed-kubeconfig.ts';

export interface MergedEntries {
  currentContext: MergedKubeconfig['currentContext'];
  clusters: Map<string, ParsedCluster>;
  contexts: Map<string, KubeContext>;
  users: Map<string, ParsedUser>;
  hidden: MergedKubeconfig['hidden'];
}

/**
 * Merges as client-go's loading rules: the first file that has an entry of a name wins with the entry as a whole, the
 * first file that says a current context with that (tools/clientcmd/loader.go, Load).
 */
export function mergeKubeconfigs(
  files: readonly { path: string; kubeconfig: ParsedKubeconfig }[],
): MergedEntries {
  const hidden: { what: 'cluster' | 'context' | 'user'; name: string; origin: Origin }[] = [];
  const merged: MergedEntries = {
    currentContext: null,
    clusters: new Map(),
    contexts: new Map(),
    users: new Map(),
    hidden,
  };
  const take = <Entry extends { name: string; origin: Origin }>(
    what: 'cluster' | 'context' | 'user',
    into: Map<string, Entry>,
    from: ReadonlyMap<string, Entry>,
  ) => {
    for (const [name, entry] of from) {
      if (into.has(name)) {
        hidden.push({ what, name, origin: entry.origin });
      } else {
        into.set(name, entry);
      }
    }
  };
  for (const { path, kubeconfig } of files) {
    if (kubeconfig.currentContext !== null) {
      merged.currentContext ??= { name: kubeconfig.currentContext, file: path };
    }
    take('cluster', merged.clusters, kubeconfig.clusters);
    take('context', merged.contexts, kubeconfig.contexts);
    take('user', merged.users, kubeconfig.users);
  }
  return merged;
}
