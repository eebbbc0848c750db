import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { absoluteFolders } from '../../domain/program/plugin-search-path.ts';
import { isWindowsProgram, windowsPrograms } from '../../domain/program/windows-program.ts';

/** A program as a search path has it. */
export interface FoundProgram {
  /** Absolute: the folder of the search path, and the name. */
  path: string;
  /** Where symbolic links lead. */
  target: string;
}

export interface FindOptions {
  platform?: NodeJS.Platform;
  /** The ends of names that count on Windows: all that it runs without this. */
  windowsNames?: readonly string[];
  /** What is at an absolute path: `standsAt` without this. */
  lookAt?: typeof standsAt;
}

/**
 * The first program by that name in `searchPath` (the text of PATH), or null. Relative folders are skipped: they
 * depend on the current folder.
 */
export async function findProgram(
  name: string,
  searchPath: string,
  { platform = process.platform, windowsNames = windowsPrograms, lookAt = standsAt }: FindOptions = {},
): Promise<FoundProgram | null> {
  for (const candidate of candidates(name, searchPath, platform, windowsNames)) {
    if ((await lookAt(candidate)) === 'program' && isRun(candidate, platform)) {
      return { path: candidate, target: await realpath(candidate) };
    }
  }
  return null;
}

/**
 * Where a program of that name would be found, in order. On Windows as Go's os/exec finds it (lp_windows.go): in each
 * folder the name itself where it has an extension, then the name with each of `windowsNames`. The current folder
 * never counts: there Go fails with ErrDot.
 */
export function candidates(
  name: string,
  searchPath: string,
  platform: NodeJS.Platform,
  windowsNames: readonly string[] = windowsPrograms,
): string[] {
  const folders = absoluteFolders(searchPath, platform);
  if (platform !== 'win32') {
    return folders.map((folder) => posix.join(folder, name));
  }
  const own = name.includes('.') ? [name] : [];
  const names = [...own, ...windowsNames.map((end) => `${name}${end}`)];
  return folders.flatMap((folder) => names.map((each) => win32.join(folder, each)));
}

/** Whether the system runs what is at this path, by its name. */
export function isRun(path: string, platform: NodeJS.Platform): boolean {
  return platform !== 'win32' || isWindowsProgram(path);
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
