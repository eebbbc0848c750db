import type { Stats } from 'node:fs';
import { access, constants, lstat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BrokerError } from '../contract/broker-error.ts';
import { readBoundedBytes } from './read-bounded.ts';
import { type FileNames, namesOf, writeDurably } from './write-durably.ts';

export interface ExpectedWrite {
  /** Absolute. Symbolic links are followed, and stay. */
  file: string;
  /** What it must hold now, to the byte; null: it must not exist. */
  expected: string | Uint8Array | null;
  text: string | Uint8Array;
  /** Permission bits of a file that is new; one that exists keeps its own. */
  mode: number;
  /** See `WriteOptions`. */
  ready?: () => Promise<void>;
}

/** What errors about a file of the user's say. */
export interface FileWords {
  /** The first part of the errors’ codes. */
  area: 'kubeconfig' | 'docker';
  /** What to do about a file of another user. */
  foreignHint: string;
}

/**
 * Writes a file of the user's if it still is as expected: atomically, durably, through symbolic links. False where it
 * holds something else, or its links lead elsewhere; then it is unchanged. `names`: all that lead to it, from
 * `namesOf`. Throws BrokerError as `checkNames`, or Node’s error (rule: reversible-edits).
 */
export async function writeExpected(
  write: ExpectedWrite,
  names: readonly string[],
  words: FileWords,
): Promise<boolean> {
  const target = names.at(-1) ?? write.file;
  const temporaryName = basename(temporaryOf(target));
  const stillWanted = async () => {
    const now = await namesOf(write.file);
    return now.all.join('\0') === names.join('\0') && holds(target, write.expected);
  };
  if (!(await stillWanted())) {
    await removeTemporary(target);
    return false;
  }
  checkOwn(write.file, await statOf(target), words);
  const { text, mode, ready } = write;
  // Checked again before the new content replaces it: not every program takes a lock.
  return writeDurably(target, text, { mode, temporaryName, stillWanted, ...(ready && { ready }) });
}

function temporaryOf(target: string): string {
  return join(dirname(target), `.${basename(target)}.lanyard.tmp`);
}

/** Removes what a killed write left beside `target`; it may hold secrets. */
export async function removeTemporary(target: string): Promise<void> {
  await unlink(temporaryOf(target)).catch(() => undefined);
}

/** Whether the file holds these bytes; null: whether there is none. */
export async function holds(target: string, expected: ExpectedWrite['expected']): Promise<boolean> {
  const bytes = typeof expected === 'string' ? Buffer.from(expected) : expected;
  const found = await readBoundedBytes(target, bytes?.length ?? 0);
  if (found === null || bytes === null) {
    return found === null && bytes === null;
  }
  return found.ok && found.bytes.equals(bytes);
}

/**
 * Throws BrokerError where a file of the user's isn’t theirs (`AREA.foreign`), or is no file of one name (`AREA.kind`).
 */
export async function checkNames(file: string, names: FileNames, words: FileWords): Promise<void> {
  await checkLinks(file, names.all.slice(0, -1), words);
  checkOwn(file, await statOf(names.target), words);
}

/** Throws Node’s error where the folder of one of the names can’t be written, as far as the system tells without it. */
export async function checkFolders({ all }: FileNames): Promise<void> {
  for (const folder of new Set(all.map((name) => dirname(name)))) {
    await access(folder, constants.W_OK);
  }
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
async function checkLinks(file: string, links: readonly string[], { area }: FileWords): Promise<void> {
  const uid = process.geteuid?.();
  for (const link of links) {
    const owner = (await statOf(link))?.uid;
    if (uid !== undefined && owner !== undefined && owner !== uid && owner !== 0) {
      throw new BrokerError(
        `${area}.foreign`,
        `${file} goes by another user’s symbolic link (${link}); it is unchanged`,
        { reason: 'notPermitted', hint: 'name the file that it leads to, if that is yours' },
      );
    }
  }
}

function checkOwn(file: string, found: Stats | null, { area, foreignHint }: FileWords): void {
  if (!found) {
    return;
  }
  if (!found.isFile()) {
    throw new BrokerError(`${area}.kind`, `${file} is no regular file; it is unchanged`, {
      reason: 'usage',
    });
  }
  const uid = process.geteuid?.();
  if (uid !== undefined && found.uid !== uid) {
    throw new BrokerError(`${area}.foreign`, `${file} belongs to another user; it is unchanged`, {
      reason: 'notPermitted',
      hint: foreignHint,
    });
  }
  if (found.nlink > 1) {
    // A file that takes its place would leave the other names with the old content.
    throw new BrokerError(`${area}.kind`, `${file} has ${found.nlink} names (hard links); it is unchanged`, {
      reason: 'usage',
      hint: 'make it a separate file, or a symbolic link, and try again',
    });
  }
}

/** An error of the operating system’s, such as ENOSPC. */
export function isSystemError(error: unknown): boolean {
  const code = error instanceof BrokerError ? null : (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code);
}
