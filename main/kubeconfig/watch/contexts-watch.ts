import type { Disposable } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { ContextReader, Contexts } from '../contexts.ts';
import { FileWatch } from './file-watch.ts';

export interface ContextsWatchOptions {
  /** The kubeconfigs that programs without a KUBECONFIG of their own read, first in precedence first. Absolute. */
  files: readonly string[];
  /** Counts where none of them is there: Lanyard's own. */
  managed: string;
  read: ContextReader;
  clock: Pick<Clock, 'after'>;
  log: Log;
  /** How long a file must be quiet before it is read (300). */
  debounceMilliseconds?: number;
  /** How often the files' stamps are looked at besides (3000). */
  pollMilliseconds?: number;
}

/** The contexts of the person's kubeconfigs, as they are now: whoever looks at them reads no file. */
export interface ContextsWatch extends Disposable {
  /** Empty until they were read for the first time. */
  current(): Contexts;
  /** Called after each reading. */
  onChange(listener: () => void): Disposable;
  /** Looks at the files now, not when the next event or poll comes; what has changed was read when it resolves. */
  look(): Promise<void>;
}

/** Begins to watch. The files are read for the first time soon, not at once: nobody's start has to wait for them. */
export function createContextsWatch(options: ContextsWatchOptions): ContextsWatch {
  const { files, managed, read, clock, log } = options;
  const changed = createListeners();
  let current: Contexts = { current: null, entries: new Map(), problems: [], files: [] };
  const watch = new FileWatch({
    clock,
    log,
    debounceMilliseconds: options.debounceMilliseconds ?? 300,
    pollMilliseconds: options.pollMilliseconds ?? 3000,
    async read() {
      // Never merged with the person's own: `current-context` would then name what a terminal doesn't find.
      const found = await read(files);
      current = found.files.length > 0 ? found : await read([managed]);
      changed.tell();
    },
  });
  watch.add([...files, managed]);
  return {
    current: () => current,
    onChange: (listener) => changed.add(listener),
    look: () => watch.look(),
    dispose: () => watch.dispose(),
  };
}
