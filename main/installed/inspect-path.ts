import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import type { InstalledEntry } from './entry.ts';

/** What is at a path now. `other`: neither a plain file nor a link, or unreadable; `what` describes it for the user. */
export type PathState =
  | { kind: 'nothing' }
  | { kind: 'link'; target: string }
  | { kind: 'file'; digest: string }
  | { kind: 'folder' }
  | { kind: 'other'; what: string };

/** Completion scripts, units and pages are far smaller: a larger file isn’t Lanyard’s. */
const limitBytes = 4 * 1024 * 1024;

export async function inspectPath(path: string): Promise<PathState> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) {
      return { kind: 'link', target: await readlink(path) };
    }
    if (found.isDirectory()) {
      return { kind: 'folder' };
    }
    if (!found.isFile() || found.size > limitBytes) {
      return { kind: 'other', what: found.isFile() ? 'a large file' : 'not a plain file' };
    }
    return { kind: 'file', digest: digestOf(await readPlain(path)) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    // ENOTDIR: a folder of the path is a file now.
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'nothing' }
      : { kind: 'other', what: `it can’t be read (${code})` };
  }
}

export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Whether the path is still as Lanyard made it. */
export function isAsMade(entry: InstalledEntry, found: PathState): boolean {
  switch (entry.kind) {
    case 'link':
      return found.kind === 'link' && entry.made.includes(found.target);
    case 'folder':
      return found.kind === 'folder';
    case 'key':
      return false;
    case 'file':
    case 'unit':
      return found.kind === 'file' && entry.made.includes(found.digest);
  }
}

export function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') {
    throw error;
  }
}

/** Never follows a link: its target isn’t the file at this path. */
async function readPlain(path: string): Promise<Buffer> {
  const file = await open(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
