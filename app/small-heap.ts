import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * What start.json's flags do for the broker under Node (scripts/build-native.ts), for one inside the app: Electron takes
 * V8's flags for its main process from its command line alone, where any program could add some (app/hardening), so they are
 * set as the entry begins. Electron leaves V8's flags open for that. `--max-semi-space-size` counts only before there is a
 * heap; a nursery that doesn't grow comes near to it. That no signal opens a debugger is the fuse's of inspecting.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
  // Contexts that there are don't get it any more, a new one does; it looks through the same heap.
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
}
