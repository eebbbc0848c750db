import type { Disposable } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { ContextReader, Contexts } from '../contexts.ts';
import { FileWatch } from './file-watch.ts';

export interface ContextsWatchOptions {
  /** The kubeconfigs that programs without their own KUBECONFIG read now, first in precedence first. Absolute. */
  files(): readonly string[];
  /** Used where none of them exists: Lanyard's own. */
  managed: string;
  read: ContextReader;
  clock: Pick<Clock, 'after'>;
  log: Log;
  /** How long a file must be quiet before it is read (300). */
  debounceMilliseconds?: number;
  /** How often the files' stamps are also checked, in milliseconds (3000). */
  pollMilliseconds?: number;
}

/** The present contexts of the user's kubeconfigs: its readers read no file. */
export interface ContextsWatch extends Disposable {
  /** Empty until they were read for the first time. */
  current(): Contexts;
  /** Called after each reading. */
  onChange(listener: () => void): Disposable;
  /** Checks the files now, not at the next event or poll; what has changed was read when it resolves. */
  look(): Promise<void>;
  /** Reads other files from now on: `files` has changed. */
  refresh(): Promise<void>;
}

/** Starts to watch. The files are first read soon, not immediately: the broker's start doesn't wait for them. */
export function createContextsWatch(options: ContextsWatchOptions): ContextsWatch {
  const { files, managed, read, clock, log } = options;
  const changed = createListeners();
  let current: Contexts = { current: null, entries: new Map(), problems: [], files: [] };
  const watch = new FileWatch({
    clock,
    log,
    debounceMilliseconds: options.debounceMilliseconds ?? 300,
    pollMilliseconds: options.pollMilliseconds ?? 3000,
    read: load,
  });
  async function load(): Promise<void> {
    // Never merged with the user's own: `current-context` would then name what a terminal doesn't find.
    const found = await read(files());
    current = found.files.length > 0 ? found : await read([managed]);
    changed.tell();
  }
  watch.add([...files(), managed]);
  return {
    current: () => current,
    onChange: (listener) => changed.add(listener),
    look: () => watch.look(),
    async refresh() {
      watch.add(files());
      await load();
    },
    dispose: () => watch.dispose(),
  };
}
