import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname, posix, win32 } from 'node:path';

/** A program as a search path has it. */
export interface FoundProgram {
  /** Absolute: the folder of the search path, and the name. */
  path: string;
  /** Where symbolic links lead. */
  target: string;
}

export interface FindOptions {
  platform?: NodeJS.Platform;
}

/**
 * The first program of that name in `searchPath` (the text of PATH), or null. Folders that aren't absolute are passed
 * over: what they mean depends on where somebody stands.
 */
export async function findProgram(
  name: string,
  searchPath: string,
  { platform = process.platform }: FindOptions = {},
): Promise<FoundProgram | null> {
  const path = platform === 'win32' ? win32 : posix;
  const file = platform === 'win32' ? `${name}.exe` : name;
  for (const folder of searchPath.split(path.delimiter)) {
    if (folder === '' || !path.isAbsolute(folder)) {
      continue;
    }
    const candidate = path.join(folder, file);
    if (await isExecutable(candidate)) {
      return { path: candidate, target: await realpath(candidate) };
    }
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether somebody else of this machine could have put another program in its place: it, or a folder that it is found
 * in, is open to all for writing, or belongs to neither this user nor root. A group may write: Homebrew's folders are
 * its administrators'. Windows doesn't tell; there it is false.
 */
export async function othersCanReplace({ path, target }: FoundProgram): Promise<boolean> {
  const uid = process.geteuid?.();
  if (uid === undefined) {
    return false;
  }
  for (const each of new Set([target, dirname(target), dirname(path)])) {
    const facts = await stat(each).catch(() => null);
    if (facts === null || (facts.mode & 0o002) !== 0 || (facts.uid !== 0 && facts.uid !== uid)) {
      return true;
    }
  }
  return false;
}
