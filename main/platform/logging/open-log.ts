import type { Log } from '../../ports/log.ts';
import { loadAddon, type NativeLogWriter } from '../native/addon.ts';
import { createLog } from './create-log.ts';

const stderr = 2;

/** Of the file, and of what was before it. */
const fileBytes = 5 * 1024 * 1024;

/** How long the end of a process waits for the log's reader. */
const lastWordsMilliseconds = 1_000;

/** The log of a process, on stderr. */
export interface OwnLog extends Log {
  /** Where stderr is the file at `path`, a large one is moved to `earlier`, and a new one is started. */
  keepSmall(path: string, earlier: string): void;
  /** Before the process ends: what is not written yet is given a moment. */
  flush(): void;
}

/** Whatever stderr is, and even without a reader: logging takes milliseconds at most. */
export function openLog(addon: string): OwnLog {
  const writer = openWriter(addon);
  return {
    ...createLog(writer ? { write: (line) => writer.write(line) } : {}),
    keepSmall: (path, earlier) => writer?.keepSmall(path, earlier, fileBytes),
    flush: () => void writer?.flush(lastWordsMilliseconds),
  };
}

/** Null where there is no addon: the start fails for it soon, and says so. */
function openWriter(addon: string): NativeLogWriter | null {
  try {
    return loadAddon(addon).openLogWriter(stderr);
  } catch {
    return null;
  }
}
