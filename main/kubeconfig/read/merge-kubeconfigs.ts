import type { HiddenEntry, KubeContext, MergedKubeconfig, Origin } from '../../domain/import/kubeconfig.ts';
import type { ParsedCluster, ParsedKubeconfig, ParsedUser } from './parsed-kubeconfig.ts';

export interface MergedEntries {
  currentContext: MergedKubeconfig['currentContext'];
  clusters: Map<string, ParsedCluster>;
  contexts: Map<string, KubeContext>;
  users: Map<string, ParsedUser>;
  /** In the files' order. A hidden user may hold secrets: it is kept. */
  hidden: (Exclude<HiddenEntry, { what: 'user' }> | { what: 'user'; user: ParsedUser })[];
}

/**
 * Merges as client-go's loading rules: the first file that has an entry by a name wins with the complete entry, and
 * the first file with a current context with that (tools/clientcmd/loader.go, Load).
 */
export function mergeKubeconfigs(
  files: readonly { path: string; kubeconfig: ParsedKubeconfig }[],
): MergedEntries {
  const merged: MergedEntries = {
    currentContext: null,
    clusters: new Map(),
    contexts: new Map(),
    users: new Map(),
    hidden: [],
  };
  const { hidden } = merged;
  for (const { path, kubeconfig } of files) {
    if (kubeconfig.currentContext !== null) {
      merged.currentContext ??= { name: kubeconfig.currentContext, file: path };
    }
    takeNew(kubeconfig.clusters, merged.clusters, ({ name, origin }) => {
      hidden.push({ what: 'cluster', name, origin });
    });
    takeNew(kubeconfig.contexts, merged.contexts, ({ name, origin }) => {
      hidden.push({ what: 'context', name, origin });
    });
    takeNew(kubeconfig.users, merged.users, (user) => hidden.push({ what: 'user', user }));
  }
  return merged;
}

function takeNew<Entry extends { name: string; origin: Origin }>(
  from: ReadonlyMap<string, Entry>,
  into: Map<string, Entry>,
  hide: (entry: Entry) => void,
): void {
  for (const [name, entry] of from) {
    if (into.has(name)) {
      hide(entry);
    } else {
      into.set(name, entry);
    }
  }
}
