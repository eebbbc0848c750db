import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isHeld, untilFree } from '../base/until-free.ts';
import { BrokerError } from '../contract/broker-error.ts';

export interface WriteOptions {
  /** Permission bits of a new file. */
  mode: number;
  /** True, the default: an existing file keeps its own bits. False: it gets `mode`. */
  keepMode?: boolean;
  /** Name of the temporary file, in the same folder. A leftover of that name is removed first. */
  temporaryName?: string;
  /** Called just before the rename, and before each further try of it; false cancels the write. */
  stillWanted?: () => Promise<boolean>;
  /** Called once, when nothing but the rename is left to do. What it throws cancels the write, and is thrown. */
  ready?: () => Promise<void>;
}

/**
 * Replaces the content of `file` atomically and durably: after a crash it is the old or the new one. Writes through a
 * symbolic link to its target. False where `stillWanted` was false. Throws BrokerError `file.write` where the system
 * refuses; then nothing has changed (rule: nothing-lost).
 */
export async function writeDurably(
  file: string,
  text: string | Uint8Array,
  options: WriteOptions,
): Promise<boolean> {
  try {
    const { target } = await namesOf(file);
    const old = await stat(target).catch(ignoreMissing);
    const mode = old && options.keepMode !== false ? old.mode & 0o7777 : options.mode;
    return await replace(target, text, { ...options, mode }, old);
  } catch (error) {
    throw error instanceof BrokerError ? error : writeError(file, error);
  }
}

/** The BrokerError `file.write`, with a hint for the user, after the system refused to write `file`. */
export function writeError(file: string, error: unknown): BrokerError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return new BrokerError('file.write', `can’t write ${file} (${code}); it is unchanged`, {
    hint: isHeld(error)
      ? 'another program has it open, or it is read-only: close that program, and try again'
      : (hints[code] ?? 'check the file and its folder'),
    cause: error,
  });
}

const hints: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room and try again',
  EDQUOT: 'the disk quota is used up: make room and try again',
  EROFS: 'the file system is read-only',
  EACCES: 'you may not write into its folder',
  EPERM: 'you may not write into its folder',
  ENOENT: 'its folder is not there',
};

/**
 * Like `writeDurably`, but replaces a symbolic link, and ignores the old file’s owner and mode. Throws Node’s error.
 */
export async function writeFresh(
  target: string,
  text: string | Uint8Array,
  options: Pick<WriteOptions, 'mode' | 'temporaryName'>,
): Promise<void> {
  await replace(target, text, options, undefined);
}

/** `old`: the file whose owner and group the new one gets. */
async function replace(
  target: string,
  text: string | Uint8Array,
  { mode, ...options }: Omit<WriteOptions, 'keepMode'>,
  old: Stats | undefined,
): Promise<boolean> {
  // Windows says of a folder what it says of a file that is open, which would be waited for.
  if ((await lstat(target).catch(ignoreMissing))?.isDirectory()) {
    throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  }
  const name = options.temporaryName ?? `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`;
  const temporary = join(dirname(target), name);
  if (options.temporaryName !== undefined) {
    await unlink(temporary).catch(ignoreMissing);
  }
  const handle = await open(temporary, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(text);
      await handle.chmod(old && !(await keepsOwner(handle, old)) ? mode & ~0o070 : mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (options.ready) {
      // To its own name: nothing changes, and Windows refuses it, too, while another program has the file open.
      await untilFree(() => rename(target, target)).catch(ignoreMissing);
      await options.ready();
    }
    // Each time: who held the file open may have written it.
    const replaced = await untilFree(async () => {
      if (options.stillWanted && !(await options.stillWanted())) {
        return false;
      }
      await rename(temporary, target);
      return true;
    });
    if (!replaced) {
      await unlink(temporary);
      return false;
    }
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(target));
  return true;
}

/**
 * Gives the new file the old one’s owner and group. False where the system doesn’t allow that: the caller then drops
 * the group’s permissions, which were meant for the old group.
 */
async function keepsOwner(handle: FileHandle, old: Stats): Promise<boolean> {
  const now = await handle.stat();
  if (now.uid === old.uid && now.gid === old.gid) {
    return true;
  }
  return handle.chown(old.uid, old.gid).then(
    () => true,
    () => false,
  );
}

export interface FileNames {
  /** The file with the content; it may not exist yet. Its folder’s path has no symbolic link. */
  target: string;
  /** All names that lead to it, each in a folder without symbolic links; the last is the target. */
  all: readonly string[];
}

/** Follows symbolic links. Throws Node’s error: ENOENT for a missing folder, ELOOP after 16 links, … */
export async function namesOf(file: string): Promise<FileNames> {
  const all: string[] = [];
  let name = file;
  for (let hops = 0; hops < 16; hops++) {
    const target = join(await realpath(dirname(name)), basename(name));
    all.push(target);
    const found = await lstat(target).catch(ignoreMissing);
    if (!found?.isSymbolicLink()) {
      return { target, all };
    }
    name = resolve(dirname(target), await readlink(target));
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
}

/** Makes a rename durable. Windows doesn’t open folders, and needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // The rename is done. Only its durability over a power cut is uncertain.
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') {
    throw error;
  }
  return undefined;
}
