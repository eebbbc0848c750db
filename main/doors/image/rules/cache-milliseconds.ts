import { durationMilliseconds } from '../../../contract/duration.ts';
import type { LoadedRegistry } from '../../../domain/loaded-config.ts';

/**
 * How long a kubelet may keep a credential: as the registry says, and no longer than it lives. `life`: what is left of
 * it, in milliseconds.
 */
export function cacheMilliseconds({ config }: LoadedRegistry, life: number): number {
  const wanted = durationMilliseconds(config.cacheDuration) ?? 0;
  return Math.max(0, Math.min(wanted, life));
}
