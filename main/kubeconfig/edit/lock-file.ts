import { createHash } from 'node:crypto';
import { lstat, open, readdir, readFile, readlink, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isHeld as isHeldOpen, untilFree } from '../../base/until-free.ts';
import { isGone, type LockOwner, type LockOwnerDeps, ownLockText, readLockText } from './lock-owner.ts';

/** An existing lock. */
export interface FoundLock {
  path: string;
  /** Null: another program's, such as kubectl's. */
  owner: LockOwner | null;
  /** What it says; empty for another program's. */
  text: string;
  /** Wall clock, milliseconds since 1970. */
  madeAt: number;
}

export interface HeldLock {
  release(): Promise<void>;
}

/**
 * Takes the lock that client-go takes on a kubeconfig (tools/clientcmd/loader.go, lockFile: the file of that name
 * with `.lock` after it, made with O_CREAT and O_EXCL; its content doesn't count), or returns the existing lock. Ours
 * is a symbolic link to nowhere that names its owner: made in one step, exclusively as with O_EXCL. On Windows, where
 * a link takes a privilege, it is a file. One whose process has ended is taken over; another program's is never
 * removed.
 */
export async function tryLock(path: string, deps: LockOwnerDeps): Promise<HeldLock | FoundLock> {
  const text = ownLockText(deps);
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await make(path, text)) {
      await sweep(path, deps);
      return { release: () => release(path, text) };
    }
    const found = await look(path);
    if (found) {
      const taken = found.owner && isGone(found.owner, deps) ? await removeStale(found, deps) : false;
      if (!taken) {
        return found;
      }
    }
  }
  return (await look(path)) ?? { path, owner: null, text: '', madeAt: 0 };
}

/** The lock that would be waited for; null: there is none, or Lanyard may take it over. */
export async function lookAtLock(path: string, deps: LockOwnerDeps): Promise<FoundLock | null> {
  const found = await look(path);
  return found?.owner && isGone(found.owner, deps) ? null : found;
}

export function isHeld(lock: HeldLock | FoundLock): lock is HeldLock {
  return 'release' in lock;
}

/** Removes the lock of a process of Lanyard's that is gone; false where there is none such. */
export async function freeStaleLock(path: string, deps: LockOwnerDeps): Promise<boolean> {
  const found = await look(path);
  return found?.owner != null && isGone(found.owner, deps) && (await removeStale(found, deps));
}

/** File systems without symbolic links say one of these. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** False where the name is taken. */
async function make(path: string, text: string): Promise<boolean> {
  if (process.platform !== 'win32') {
    try {
      await symlink(text, path);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') {
        return false;
      }
      if (!withoutLinks.has(codeOf(error))) {
        throw error;
      }
    }
  }
  try {
    // Killed between these two steps it leaves an empty file, which is taken for another program's.
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(text).finally(() => handle.close());
    } catch (error) {
      // An empty one would count as another program's for good.
      await unlink(path).catch(() => undefined);
      throw error;
    }
    return true;
  } catch (error) {
    // On Windows one that is being removed has its name until nobody has it open.
    if (codeOf(error) === 'EEXIST' || (isHeldOpen(error) && (await isThere(path)))) {
      return false;
    }
    throw error;
  }
}

/** Also where the system doesn’t tell, as of a file that is being removed. */
function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error) => codeOf(error) !== 'ENOENT',
  );
}

/** Null where there is none any more. */
async function look(path: string): Promise<FoundLock | null> {
  try {
    const found = await lstat(path);
    const text = found.isSymbolicLink() ? await readlink(path) : await ownTextIn(path, found.size);
    const owner = readLockText(text);
    return { path, owner, text: owner ? text : '', madeAt: found.mtimeMs };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

/** kubectl's has mode 0 and is empty. */
async function ownTextIn(path: string, size: number): Promise<string> {
  // On Windows another program may have it open for a moment, and then it can't be read.
  return size > 0 && size < 1000 ? untilFree(() => readFile(path, 'utf8')).catch(() => '') : '';
}

async function release(path: string, text: string): Promise<void> {
  // The user may have removed it, and another program made its own since.
  if ((await look(path))?.text === text) {
    await untilFree(() => unlink(path)).catch(ignoreMissing);
  }
}

/**
 * Removes the lock of a process that has ended. Two that find it at the same time must not both do that: the later
 * would remove the earlier one's new lock. So each takes a second lock meanwhile, whose name says which stale lock it
 * is for, and checks again under it.
 */
async function removeStale(stale: FoundLock, deps: LockOwnerDeps): Promise<boolean> {
  const guard = guardOf(stale);
  if (basename(guard).length > 200) {
    return false;
  }
  const held = await tryLock(guard, deps);
  if (!isHeld(held)) {
    return false;
  }
  try {
    if ((await look(stale.path))?.text === stale.text) {
      await untilFree(() => unlink(stale.path)).catch(ignoreMissing);
    }
    return true;
  } finally {
    await held.release();
  }
}

function guardOf({ path, text }: FoundLock): string {
  return `${path}.${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/** Removes the second locks that killed processes left. Only for stale locks: the caller has the one at `path`. */
async function sweep(path: string, deps: LockOwnerDeps): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (name.startsWith(start) && /^[0-9a-f]{12}(?:\.[0-9a-f]{12})*$/.test(name.slice(start.length))) {
      const found = await look(join(folder, name)).catch(() => null);
      if (found?.owner && isGone(found.owner, deps)) {
        await unlink(found.path).catch(() => undefined);
      }
    }
  }
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') {
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
