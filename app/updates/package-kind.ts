import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownAppImage } from '../own-app-image.ts';

/** How this app was installed: the ending of the package that updates it. */
export type PackageKind = 'AppImage' | 'deb' | 'rpm' | 'exe' | 'zip';

export interface PackageKindDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Electron's `resources` folder. */
  resources: string;
  /** The path of this process's program. */
  execPath?: string;
}

/** Null: unpacked by hand, or installed by a package manager that updates it. */
export function packageKind({
  platform,
  env,
  resources,
  execPath = process.execPath,
}: PackageKindDeps): PackageKind | null {
  if (platform === 'win32') {
    return 'exe';
  }
  if (platform === 'darwin') {
    // Squirrel.Mac takes archives, not disk images.
    return 'zip';
  }
  const said = packageType(join(resources, 'package-type'));
  if (said === 'deb' || said === 'rpm') {
    return said;
  }
  // Only the app's own AppImage: a terminal that runs from an AppImage passes on its variables, and its file must not
  // be replaced.
  return ownAppImage(env, execPath) === null ? null : 'AppImage';
}

/** electron-builder writes the file into packages for package managers. */
function packageType(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
