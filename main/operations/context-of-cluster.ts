import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { ContextEntry, Contexts } from '../kubeconfig/contexts.ts';

/** The context that leads to this cluster with Lanyard’s credential: one of the cluster’s name before others. */
export function contextOfCluster(
  { entries }: Pick<Contexts, 'entries'>,
  { name, config }: Pick<LoadedCluster, 'name' | 'config'>,
): ContextEntry | undefined {
  const found = byCluster(entries).get(keyOf({ account: config.account, cluster: name }));
  return found?.find((entry) => entry.name === name) ?? found?.[0];
}

type Entries = Contexts['entries'];

/** A page asks for each of thousands. */
const indexes = new WeakMap<Entries, ReadonlyMap<string, readonly ContextEntry[]>>();

function byCluster(entries: Entries) {
  const index =
    indexes.get(entries) ??
    Map.groupBy(entries.values(), ({ lanyard }) => (lanyard === null ? '' : keyOf(lanyard)));
  indexes.set(entries, index);
  return index;
}

function keyOf({ account, cluster }: { account: string; cluster: string | null }): string {
  return JSON.stringify([account, cluster]);
}
