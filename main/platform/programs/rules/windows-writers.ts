import { win32 } from 'node:path';
import { windowsVariable } from '../../../base/windows-variable.ts';
import type { OtherWriter } from '../../../domain/program/program.ts';

/** Whether a user who is no administrator could have changed a file or folder. Throws where Windows doesn't tell. */
export type IsWrittenByOthers = (path: string) => boolean;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Who beside this user, administrators and the system could change a program: by its file, or by its folder, where it
 * can be replaced, and where Windows looks for its libraries first. `paths`: absolute, as it was found and without
 * links. Where Windows doesn’t tell, somebody could: who may change a file decides whether its list can be read.
 */
export function windowsWriters(
  paths: readonly string[],
  isWrittenByOthers: IsWrittenByOthers,
): OtherWriter[] {
  const looked = new Set(paths.flatMap((path) => [path, win32.dirname(path)]));
  return [...looked].flatMap((path) => {
    try {
      return isWrittenByOthers(path) ? [{ path, who: 'other users of this computer' }] : [];
    } catch {
      return [{ path, who: 'someone whom Windows doesn’t name' }];
    }
  });
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
