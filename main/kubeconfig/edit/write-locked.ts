import { raceAbort } from '../../base/abort.ts';
import { namesOf, writeError } from '../../config/write-durably.ts';
import {
  checkFolders,
  checkNames,
  type FileWords,
  isSystemError,
  writeExpected,
} from '../../config/write-expected.ts';
import type { Clock } from '../../ports/clock.ts';
import { type FoundLock, type HeldLock, isHeld, lookAtLock, tryLock } from './lock-file.ts';
import type { LockOwnerDeps } from './lock-owner.ts';
import { type LockedAnswer, lockedAnswer } from './locked-answer.ts';

export interface WriteLockedDeps extends LockOwnerDeps {
  clock: Pick<Clock, 'now' | 'boottime' | 'after'>;
}

export interface LockedWrite {
  /** Absolute. Symbolic links are followed, and stay. */
  file: string;
  /** What it must hold now, to the byte; null: it must not exist. */
  expected: string | Uint8Array | null;
  text: string | Uint8Array;
  /** Permission bits of a file that is new; one that exists keeps its own. */
  mode: number;
  /** See `WriteOptions`: called with the lock. */
  ready?: () => Promise<void>;
  /** Ends the waiting for a lock; a write that has begun is finished. */
  signal: AbortSignal;
  /** Called once, when another program's lock is waited for: a sentence for the user. */
  onWait?(sentence: string): void;
}

export type WrittenLocked =
  | { ok: true }
  /** It holds something else than expected (another program was faster), or its links lead elsewhere. Unchanged. */
  | { ok: false; reason: 'changed' }
  | LockedAnswer;

const words: FileWords = {
  area: 'kubeconfig',
  foreignHint: 'only your own files are edited: copy it, and set KUBECONFIG to the copy',
};

const waitMilliseconds = 5_000;
const pauseMilliseconds = 100;

/**
 * Writes the user's kubeconfig under the lock that kubectl takes (k8s.io/client-go/tools/clientcmd): atomically,
 * durably, through symbolic links, with its mode and, as far as the system allows, its owner. kubectl locks the name
 * it was given, so each name on the way to the file is locked. Throws BrokerError where the file isn't this user's
 * own (`kubeconfig.foreign`), is no file of one name (`kubeconfig.kind`), or the system refuses (`file.write`)
 * (rule: reversible-edits).
 */
export async function writeLocked(write: LockedWrite, deps: WriteLockedDeps): Promise<WrittenLocked> {
  const { file } = write;
  try {
    const names = await namesOf(file);
    await checkNames(file, names, words);
    const locked = await lockAll(names.all, write, deps);
    if (!locked.ok) {
      return locked;
    }
    try {
      return await writeUnderLock(write, names.all);
    } finally {
      for (const held of locked.held.toReversed()) {
        await held.release();
      }
    }
  } catch (error) {
    throw isSystemError(error) ? writeError(file, error) : error;
  }
}

/**
 * What `writeLocked` would say of the file before it writes, without a lock or a byte written: throws as it does. A
 * lock that is younger than the wait for it is not told.
 */
export async function checkUnlocked(file: string, deps: WriteLockedDeps): Promise<LockedAnswer | null> {
  try {
    const names = await namesOf(file);
    await checkNames(file, names, words);
    await checkFolders(names);
    for (const name of names.all) {
      const lock = await lookAtLock(`${name}.lock`, deps);
      const answer = lock && lockedAnswer(file, lock, deps.clock.now());
      if (answer && answer.ageMilliseconds > waitMilliseconds) {
        return answer;
      }
    }
    return null;
  } catch (error) {
    throw isSystemError(error) ? writeError(file, error) : error;
  }
}

async function writeUnderLock(write: LockedWrite, names: readonly string[]): Promise<WrittenLocked> {
  const written = await writeExpected(write, names, words);
  return written ? { ok: true } : { ok: false, reason: 'changed' };
}

type Locked = { ok: true; held: readonly HeldLock[] } | LockedAnswer;

/** In the order in which kubectl takes several. */
async function lockAll(names: readonly string[], write: LockedWrite, deps: WriteLockedDeps): Promise<Locked> {
  const held: HeldLock[] = [];
  const until = deps.clock.boottime() + waitMilliseconds;
  let told = false;
  const tell = (found: FoundLock) => {
    if (!told) {
      told = true;
      write.onWait?.(`waiting for another program to finish with ${write.file} (${found.path})`);
    }
  };
  const release = async () => {
    for (const lock of held.toReversed()) {
      await lock.release();
    }
  };
  try {
    for (const name of [...new Set(names)].sort()) {
      const lock = await waitForLock(`${name}.lock`, until, tell, write.signal, deps);
      if (!isHeld(lock)) {
        await release();
        return lockedAnswer(write.file, lock, deps.clock.now());
      }
      held.push(lock);
    }
    return { ok: true, held };
  } catch (error) {
    await release();
    throw error;
  }
}

async function waitForLock(
  path: string,
  until: number,
  tell: (found: FoundLock) => void,
  signal: AbortSignal,
  deps: WriteLockedDeps,
): Promise<HeldLock | FoundLock> {
  for (;;) {
    signal.throwIfAborted();
    const lock = await tryLock(path, deps);
    if (isHeld(lock) || deps.clock.boottime() >= until) {
      return lock;
    }
    tell(lock);
    await pause(deps.clock, signal);
  }
}

async function pause(clock: Pick<Clock, 'after'>, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<Clock['after']> | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = clock.after(pauseMilliseconds, resolve);
  });
  try {
    await raceAbort(passed, signal);
  } finally {
    await timer?.dispose();
  }
}
