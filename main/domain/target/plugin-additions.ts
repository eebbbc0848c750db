import type { LoadedCluster } from '../loaded-config.ts';

/** Whether an exec plugin gets arguments or variables for this cluster, so that its answer is for it alone. */
export function addsToPlugin({ config }: Pick<LoadedCluster, 'config'>): boolean {
  return Boolean(config.additionalArgs?.length || config.additionalEnv?.length);
}
