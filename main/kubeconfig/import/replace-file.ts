import { isUtf8 } from 'node:buffer';
import { readBoundedBytes } from '../../config/read-bounded.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { inOneLine } from '../../contract/refusal.ts';
import { checkUnlocked, type WriteLockedDeps, writeLocked } from '../edit/index.ts';
import { kubeconfigLimitBytes } from '../read/kubeconfig-file.ts';

/** The user who waits: ended by `signal`, told why by `say`. */
export interface Waiting {
  signal: AbortSignal;
  say(sentence: string): void;
}

export interface FileChange {
  path: string;
  /** What it must hold; null: it must not be there. */
  expected: string | null;
  text: string;
  /** Permission bits of a file that is new. */
  mode: number;
  /** Called under the lock, when nothing but the rename is left to do. What it throws is thrown; the file stays. */
  ready?: () => Promise<void>;
}

/** A file's text, byte order mark and all; null where there is none. Throws BrokerError where it can't be read. */
export type ReadFile = (path: string) => Promise<string | null>;

/**
 * Replaces one of the user's files with `text`, if it still is as expected, under kubectl's lock. Null: done; else
 * why it was left unchanged, with what to do. Throws BrokerError where the system refuses.
 */
export type ReplaceFile = (change: FileChange, waiting: Waiting) => Promise<string | null>;

/** What `ReplaceFile` would refuse by now, without writing a byte; null: nothing is known against it. */
export type CheckFile = (path: string) => Promise<BrokerError | null>;

export async function readText(path: string): Promise<string | null> {
  const read = await readBoundedBytes(path, kubeconfigLimitBytes);
  if (read?.ok && isUtf8(read.bytes)) {
    return read.bytes.toString('utf8');
  }
  if (read === null) {
    return null;
  }
  throw new BrokerError('kubeconfig.unreadable', `${path} ${read.ok ? 'is not UTF-8 text' : read.why}`, {
    reason: 'usage',
    hint: 'look at the file',
  });
}

export function createReplaceFile(deps: WriteLockedDeps): ReplaceFile {
  return async ({ path, expected, text, mode, ready }, { signal, say }) => {
    const written = await writeLocked(
      { file: path, expected, text, mode, signal, onWait: say, ...(ready && { ready }) },
      deps,
    );
    if (written.ok) {
      return null;
    }
    return written.reason === 'changed'
      ? 'it has changed meanwhile, so it was left as it is; try again'
      : inOneLine(written);
  };
}

export function createCheckFile(deps: WriteLockedDeps): CheckFile {
  return async (path) => {
    try {
      const locked = await checkUnlocked(path, deps);
      return (
        locked &&
        new BrokerError('kubeconfig.locked', locked.message, { reason: 'denied', hint: locked.hint })
      );
    } catch (error) {
      if (error instanceof BrokerError) {
        return error;
      }
      throw error;
    }
  };
}
