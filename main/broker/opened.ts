import type { Bindings } from '../access/bindings.ts';
import type { LoadedConfig } from '../domain/loaded-config.ts';
import type { SeenPrograms } from '../domain/program/program-check.ts';

/** A vault that was just made takes the configuration, and the programs that were shown, as approved. */
export function openedWith(bindings: Bindings) {
  return (seen?: LoadedConfig, programs?: SeenPrograms) => bindings.adoptNewVault(seen, programs);
}
