import { win32 } from 'node:path';
import type { OtherWriter } from '../../../domain/program/program.ts';

/** Whether a user who is no administrator could have changed a file or folder. Throws where Windows doesn't tell. */
export type IsWrittenByOthers = (path: string) => boolean;

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
