import type { Stats } from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { raceAbort } from '../../base/abort.ts';
import { readBoundedBytes } from '../../config/read-bounded.ts';
import { namesOf, writeDurably, writeError } from '../../config/write-durably.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Clock } from '../../ports/clock.ts';
import { type FoundLock, type HeldLock, isHeld, tryLock } from './lock-file.ts';
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
    await checkLinks(file, names.all.slice(0, -1));
    checkOwn(file, await statOf(names.target));
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

async function writeUnderLock(write: LockedWrite, names: readonly string[]): Promise<WrittenLocked> {
  const target = names.at(-1) ?? write.file;
  const temporaryName = `.${basename(target)}.lanyard.tmp`;
  const stillWanted = async () => {
    const now = await namesOf(write.file);
    return now.all.join('\0') === names.join('\0') && holds(target, write.expected);
  };
  if (!(await stillWanted())) {
    // What a killed run left may hold secrets.
    await unlink(join(dirname(target), temporaryName)).catch(() => undefined);
    return { ok: false, reason: 'changed' };
  }
  checkOwn(write.file, await statOf(target));
  const { text, mode } = write;
  // Checked again before the new content replaces it: not every program takes the lock.
  const written = await writeDurably(target, text, { mode, temporaryName, stillWanted });
  return written ? { ok: true } : { ok: false, reason: 'changed' };
}

async function holds(target: string, expected: LockedWrite['expected']): Promise<boolean> {
  const bytes = typeof expected === 'string' ? Buffer.from(expected) : expected;
  const found = await readBoundedBytes(target, bytes?.length ?? 0);
  if (found === null || bytes === null) {
    return found === null && bytes === null;
  }
  return found.ok && found.bytes.equals(bytes);
}

async function statOf(target: string): Promise<Stats | null> {
  return lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return null;
    }
    throw error;
  });
}

/**
 * A link that another user made leads where that user likes, now and at an undo: as the kernel does it for links in
 * sticky folders (proc_sys_fs(5), protected_symlinks), it isn't followed.
 */
async function checkLinks(file: string, links: readonly string[]): Promise<void> {
  const uid = process.geteuid?.();
  for (const link of links) {
    const owner = (await statOf(link))?.uid;
    if (uid !== undefined && owner !== undefined && owner !== uid && owner !== 0) {
      throw new BrokerError(
        'kubeconfig.foreign',
        `${file} goes by another user’s symbolic link (${link}); it is unchanged`,
        { reason: 'notPermitted', hint: 'name the file that it leads to, if that is yours' },
      );
    }
  }
}

function checkOwn(file: string, found: Stats | null): void {
  if (!found) {
    return;
  }
  if (!found.isFile()) {
    throw new BrokerError('kubeconfig.kind', `${file} is no regular file; it is unchanged`, {
      reason: 'usage',
    });
  }
  const uid = process.geteuid?.();
  if (uid !== undefined && found.uid !== uid) {
    throw new BrokerError('kubeconfig.foreign', `${file} belongs to another user; it is unchanged`, {
      reason: 'notPermitted',
      hint: 'only your own files are edited: copy it, and set KUBECONFIG to the copy',
    });
  }
  if (found.nlink > 1) {
    // A file that takes its place would leave the other names with the old content.
    throw new BrokerError(
      'kubeconfig.kind',
      `${file} has ${found.nlink} names (hard links); it is unchanged`,
      {
        reason: 'usage',
        hint: 'make it a separate file, or a symbolic link, and try again',
      },
    );
  }
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

function isSystemError(error: unknown): boolean {
  const code = error instanceof BrokerError ? null : (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code);
}
