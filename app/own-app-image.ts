import { isAbsolute, join } from 'node:path';

/**
 * The file of the AppImage that this program runs from: each start mounts it again, and the file itself stays. A
 * terminal that came as one passes its own variables to all that it starts.
 */
export function ownAppImage(env: NodeJS.ProcessEnv, execPath: string): string | null {
  const { APPIMAGE: file = '', APPDIR: mount = '' } = env;
  return isAbsolute(file) && isAbsolute(mount) && execPath.startsWith(join(mount, '/')) ? file : null;
}
