import { win32 } from 'node:path';
import { windowsVariable } from '../../../base/windows-variable.ts';
import type { OtherWriter } from '../../../domain/program/program.ts';

/**
 * Whether others than this user, administrators and the system may write a file, or put entries into a folder; null: it
 * can't be told. `path`: absolute, without links.
 */
export type IsOpenToOthers = (path: string) => boolean | null;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Who beside this user, administrators and the system could put something else at these paths, or a library beside it;
 * null: it can't be told. The root of a drive doesn't count: by default others may make folders there, and rename none.
 */
export function windowsWriters(
  paths: readonly string[],
  isOpenToOthers: IsOpenToOthers,
): OtherWriter[] | null {
  const looked = [...new Set(paths.flatMap(withFoldersAbove))].map((path) => ({
    path,
    isOpen: isOpenToOthers(path),
  }));
  const open = looked.filter(({ isOpen }) => isOpen === true);
  return open.length === 0 && looked.some(({ isOpen }) => isOpen === null)
    ? null
    : open.map(({ path }) => ({ path, who: 'other users of this computer' }));
}

/**
 * Whether a path is outside the folders that Windows itself closes: the user's profile, and those that only
 * administrators write. By default each user of the computer may change what is in a folder that was made elsewhere on
 * its drive (C:\tools).
 */
export function isInOpenPlace(path: string, environment: Environment): boolean {
  const closed = ['ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432', 'SystemRoot', 'USERPROFILE'];
  return !closed.some((name) => {
    const folder = windowsVariable(environment, name);
    return folder !== undefined && win32.isAbsolute(folder) && isBelow(path, folder);
  });
}

function isBelow(path: string, folder: string): boolean {
  const leads = win32.relative(folder.toLowerCase(), path.toLowerCase());
  return leads !== '' && !win32.isAbsolute(leads) && leads.split('\\')[0] !== '..';
}

function withFoldersAbove(path: string): string[] {
  const all = [path];
  for (let at = win32.dirname(path); at !== win32.dirname(at); at = win32.dirname(at)) {
    all.push(at);
  }
  return all;
}
