import { rename, rmdir, unlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { isHeld } from '../base/until-free.ts';
import type { InstalledEntry } from './entry.ts';
import { ignoreMissing, inspectPath, isAsMade } from './inspect-path.ts';
import type { Ledger } from './ledger.ts';
import { asideOf, isAside } from './place-program.ts';

export type Removal =
  | { kind: 'removed' }
  /** The path was already empty. */
  | { kind: 'gone' }
  /** A program that Windows doesn’t remove while it runs: it has this name until then, and is on the list by it. */
  | { kind: 'aside'; path: string }
  /** A folder that isn’t empty. */
  | { kind: 'kept' }
  /** It isn’t as Lanyard made it, and was left. `what` describes it for the user. */
  | { kind: 'left'; what: string }
  /** The system refused. */
  | { kind: 'failed'; what: string };

/** What removing an entry would do now. */
export async function planRemoval(entry: InstalledEntry): Promise<Removal> {
  const found = await inspectPath(entry.path);
  if (found.kind === 'nothing') {
    return { kind: 'gone' };
  }
  return isAsMade(entry, found) ? { kind: 'removed' } : { kind: 'left', what: leftText(entry) };
}

/**
 * Removes one entry, if it is still as Lanyard made it. What was left stays on the list for the next time. A removed
 * entry is dropped last, so that after a kill the next time goes on.
 */
export async function removeEntry(
  entry: InstalledEntry,
  ledger: Ledger,
  files: RemovingFiles = { rename, unlink },
): Promise<Removal> {
  try {
    if ('temporary' in entry && entry.temporary !== undefined) {
      await unlink(entry.temporary).catch(ignoreMissing);
    }
    const would = await planRemoval(entry);
    if (would.kind === 'removed' && entry.kind === 'folder') {
      return await takeFolderBack(entry.path, ledger);
    }
    const aside = would.kind === 'removed' ? await removeFile(entry, ledger, files) : null;
    if (aside !== null) {
      return { kind: 'aside', path: aside };
    }
    if (would.kind !== 'left') {
      await ledger.drop(entry.path);
    }
    return would;
  } catch (error) {
    return { kind: 'failed', what: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

/** Tests make it fail. */
export interface RemovingFiles {
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** The new name of a program that runs, listed before it has it; null: the file is gone. */
async function removeFile(
  entry: InstalledEntry,
  ledger: Ledger,
  files: RemovingFiles,
): Promise<string | null> {
  try {
    await files.unlink(entry.path).catch(ignoreMissing);
    return null;
  } catch (error) {
    if (entry.kind !== 'file' || !isHeld(error)) {
      throw error;
    }
  }
  if (isAside(entry.path)) {
    return entry.path;
  }
  const aside = asideOf(entry.path);
  await ledger.list({ kind: 'file', path: aside, at: entry.at, made: entry.made });
  try {
    await files.rename(entry.path, aside);
  } catch (error) {
    await ledger.drop(aside);
    throw error;
  }
  await ledger.drop(entry.path);
  return aside;
}

/** The order of removal: the last made first, files before their folders, inner folders before outer ones. */
export function inOrder(entries: readonly InstalledEntry[]): InstalledEntry[] {
  const folders = entries.filter(({ kind }) => kind === 'folder');
  return [
    ...entries.filter(({ kind }) => kind !== 'folder').reverse(),
    ...folders.sort((one, other) => other.path.length - one.path.length),
  ];
}

function leftText(entry: InstalledEntry): string {
  return entry.kind === 'folder' ? 'it is no folder any more' : 'it was changed since Lanyard made it';
}

/** A folder that isn’t empty is in use by others, or still has Lanyard’s files; then it stays on the list. */
async function takeFolderBack(path: string, ledger: Ledger): Promise<Removal> {
  try {
    await rmdir(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOTEMPTY' || code === 'EEXIST') {
      if (!(await ledger.entries()).some((entry) => entry.path.startsWith(`${path}${sep}`))) {
        await ledger.drop(path);
      }
      return { kind: 'kept' };
    }
    if (code !== 'ENOENT') {
      throw error;
    }
  }
  await ledger.drop(path);
  return { kind: 'removed' };
}
