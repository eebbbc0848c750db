import { isAbsolute, join } from 'node:path';

/**
 * The file of the AppImage that this program runs from, else null. Each start mounts it again, but the file stays: what
 * lasts names the file. macOS has places that pass, too, but no such file (app/passing-place.ts).
 *
 * The path of the program is checked, because a terminal that runs from an AppImage passes its variables to all its
 * children.
 */
export function ownAppImage(env: NodeJS.ProcessEnv, execPath: string): string | null {
  const { APPIMAGE: file = '', APPDIR: mount = '' } = env;
  return isAbsolute(file) && isAbsolute(mount) && execPath.startsWith(join(mount, '/')) ? file : null;
}
