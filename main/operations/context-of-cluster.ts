import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { ContextEntry, Contexts } from '../kubeconfig/contexts.ts';

/** The context that leads to this cluster with Lanyard’s credential: one of the cluster’s name before others. */
export function contextOfCluster(
  { entries }: Pick<Contexts, 'entries'>,
  { name, config }: Pick<LoadedCluster, 'name' | 'config'>,
): ContextEntry | undefined {
  const found = [...entries.values()].filter(
    ({ lanyard }) => lanyard?.account === config.account && lanyard.cluster === name,
  );
  return found.find((entry) => entry.name === name) ?? found[0];
}
