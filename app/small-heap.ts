import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Sets the flags of start.json (scripts/build-native.ts) for a broker inside the app. Electron takes V8's flags for
 * its main process only from the command line, where any program could add some (app/hardening). So the entry sets
 * them when it begins, which Electron allows. `--max-semi-space-size` works only before the heap exists; a nursery
 * that doesn't grow has about the same effect. A fuse keeps signals from opening a debugger.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
  // Existing contexts don't get `gc`. A new context does, and it collects the same heap.
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
}
