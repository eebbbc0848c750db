import type { LoadedCluster, LoadedConfig } from '../loaded-config.ts';
import { matchesServer, parseServerPattern } from './server-pattern.ts';

/** Whether a cluster is of a profile, and its server is not among those of its inventory, which is then marked. */
export function isUnexpectedServer(
  { config, origin }: Pick<LoadedCluster, 'config' | 'origin'>,
  { inventories }: Pick<LoadedConfig, 'inventories'>,
): boolean {
  if (origin === undefined) {
    return false;
  }
  const inventory = inventories.get(origin.inventory)?.config;
  const provider = inventory?.providers.find(({ name }) => name === origin.provider);
  const expected = provider?.servers ?? inventory?.servers ?? [];
  return !expected
    .map(parseServerPattern)
    .some((each) => each.ok && matchesServer(each.pattern, config.server));
}
