import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownAppImage } from '../own-app-image.ts';

/** How this app was installed, by the ending of the package that updates it. */
export type PackageKind = 'AppImage' | 'deb' | 'rpm' | 'exe' | 'zip';

export interface PackageKindDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Electron's `resources`. */
  resources: string;
  /** This process's own program. */
  execPath?: string;
}

/** Null: unpacked by hand, or by a package manager that updates it itself. */
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
    // Squirrel.Mac takes archives, not images of disks.
    return 'zip';
  }
  const said = packageType(join(resources, 'package-type'));
  if (said === 'deb' || said === 'rpm') {
    return said;
  }
  // Its own: whatever a terminal that is an AppImage starts has that one's name, and would be put in its place.
  return ownAppImage(env, execPath) === null ? null : 'AppImage';
}

/** electron-builder writes the file into packages that a package manager unpacks. */
function packageType(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
