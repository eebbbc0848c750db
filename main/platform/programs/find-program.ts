import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';

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
 * The first program by that name in `searchPath` (the text of PATH), or null. Relative folders are skipped: they
 * depend on the current folder.
 */
export async function findProgram(
  name: string,
  searchPath: string,
  { platform = process.platform }: FindOptions = {},
): Promise<FoundProgram | null> {
  for (const candidate of candidates(name, searchPath, platform)) {
    if ((await standsAt(candidate)) === 'program') {
      return { path: candidate, target: await realpath(candidate) };
    }
  }
  return null;
}

/** Where a program of that name would be found, in order. */
export function candidates(name: string, searchPath: string, platform: NodeJS.Platform): string[] {
  const path = platform === 'win32' ? win32 : posix;
  const file = platform === 'win32' && !/\.exe$/i.test(name) ? `${name}.exe` : name;
  return searchPath
    .split(path.delimiter)
    .filter((folder) => folder !== '' && path.isAbsolute(folder))
    .map((folder) => path.join(folder, file));
}

/** What is at an absolute path, links followed. */
export async function standsAt(
  path: string,
): Promise<'program' | 'missing' | 'notExecutable' | 'folder' | 'notAFile'> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) {
      return facts.isDirectory() ? 'folder' : 'notAFile';
    }
  } catch {
    return 'missing';
  }
  try {
    await access(path, constants.X_OK);
    return 'program';
  } catch {
    return 'notExecutable';
  }
}
