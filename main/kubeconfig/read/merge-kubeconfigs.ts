import { FreeNames } from '../../domain/import/clean-name.ts';
import type { HiddenEntry, KubeContext, MergedKubeconfig, Origin } from '../../domain/import/kubeconfig.ts';
import type { ParsedCluster, ParsedKubeconfig, ParsedUser } from './parsed-kubeconfig.ts';
import { isSameEntry } from './same-entry.ts';

export interface MergedEntries {
  currentContext: MergedKubeconfig['currentContext'];
  clusters: Map<string, ParsedCluster>;
  contexts: Map<string, KubeContext>;
  users: Map<string, ParsedUser>;
  /** In the files' order. */
  hidden: (Exclude<HiddenEntry, { what: 'user' }> | (Hidden & { what: 'user'; user: ParsedUser }))[];
}

type Hidden = Pick<HiddenEntry, 'name' | 'origin' | 'by' | 'isSame'>;

export interface ParsedFile {
  path: string;
  kubeconfig: ParsedKubeconfig;
}

/**
 * Merges as client-go's loading rules: the first file that has an entry by a name wins with the complete entry, and
 * the first file with a current context with that (tools/clientcmd/loader.go, Load).
 */
export function mergeKubeconfigs(files: readonly ParsedFile[]): MergedEntries {
  const merged = noEntries();
  const { hidden } = merged;
  for (const { path, kubeconfig } of files) {
    if (kubeconfig.currentContext !== null) {
      merged.currentContext ??= { name: kubeconfig.currentContext, file: path };
    }
    takeNew(kubeconfig.clusters, merged.clusters, (cluster, about) => {
      hidden.push({ what: 'cluster', cluster, ...about });
    });
    takeNew(kubeconfig.contexts, merged.contexts, (_, about) => hidden.push({ what: 'context', ...about }));
    takeNew(kubeconfig.users, merged.users, (user, about) => hidden.push({ what: 'user', user, ...about }));
  }
  return merged;
}

function takeNew<Entry extends { name: string; origin: Origin }>(
  from: ReadonlyMap<string, Entry>,
  into: Map<string, Entry>,
  hide: (entry: Entry, about: Hidden) => void,
): void {
  for (const [name, entry] of from) {
    const first = into.get(name);
    if (first) {
      const { origin } = entry;
      hide(entry, { name, origin, by: first.origin, isSame: isSameEntry(first, entry) });
    } else {
      into.set(name, entry);
    }
  }
}

const groups = ['clusters', 'contexts', 'users'] as const;

/**
 * Puts files side by side that were named one by one: all entries stay. One whose name an earlier file has gets a
 * number, as if the files were imported one after the other, and each context leads to the cluster and the user of its
 * own file. Of a name that its file lacks it gets the first other one, as kubectl would: the entries may be spread over
 * files.
 */
export function separateKubeconfigs(files: readonly ParsedFile[]): MergedEntries {
  const found = noEntries();
  const named = Object.fromEntries(groups.map((group) => [group, namesOf(files, group)])) as Record<
    (typeof groups)[number],
    NamesOfFiles
  >;
  for (const { path, kubeconfig } of files) {
    const own = (group: (typeof groups)[number], name: string) => named[group](path, name);
    if (kubeconfig.currentContext !== null) {
      found.currentContext ??= { name: own('contexts', kubeconfig.currentContext), file: path };
    }
    for (const cluster of kubeconfig.clusters.values()) {
      const name = own('clusters', cluster.name);
      found.clusters.set(name, { ...cluster, name });
    }
    for (const user of kubeconfig.users.values()) {
      const name = own('users', user.name);
      found.users.set(name, { ...user, name });
    }
    for (const context of kubeconfig.contexts.values()) {
      const [name, cluster, user] = [
        own('contexts', context.name),
        own('clusters', context.cluster),
        own('users', context.user),
      ];
      found.contexts.set(name, { ...context, name, cluster, user });
    }
  }
  return found;
}

/** What an entry of a file is called; of a name that the file lacks, the first other one; else the name itself. */
type NamesOfFiles = (path: string, name: string) => string;

function namesOf(files: readonly ParsedFile[], group: (typeof groups)[number]): NamesOfFiles {
  const said = new Set(files.flatMap(({ kubeconfig }) => [...kubeconfig[group].keys()]));
  // A number must not make the entry that a context of another file asks for, and nobody has.
  for (const { cluster, user } of files.flatMap(({ kubeconfig }) => [...kubeconfig.contexts.values()])) {
    said.add(cluster).add(user);
  }
  const free = new FreeNames((name) => said.has(name));
  const names = new Map<string, Map<string, string>>();
  const first = new Map<string, string>();
  for (const { path, kubeconfig } of files) {
    const own = new Map<string, string>();
    names.set(path, own);
    for (const name of kubeconfig[group].keys()) {
      const given = free.take(name, (each) => each === name);
      own.set(name, given);
      if (!first.has(name)) {
        first.set(name, given);
      }
    }
  }
  return (path, name) => names.get(path)?.get(name) ?? first.get(name) ?? name;
}

function noEntries(): MergedEntries {
  return { currentContext: null, clusters: new Map(), contexts: new Map(), users: new Map(), hidden: [] };
}
