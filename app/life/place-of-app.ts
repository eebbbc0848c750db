import { accessSync, constants } from 'node:fs';
import type { ElectronModule } from '../electron.ts';
import { type PassingPlace, passingPlace } from '../passing-place.ts';

export interface PlaceOfAppDeps {
  app: Pick<ElectronModule['app'], 'isInApplicationsFolder' | 'isPackaged'>;
  platform: NodeJS.Platform;
  /** The path of this process's program. */
  execPath?: string;
}

/** Where this installed app runs from, where that passes. Null: it stays there, or it isn't installed. Writes nothing. */
export function placeOfApp({
  app,
  platform,
  execPath = process.execPath,
}: PlaceOfAppDeps): PassingPlace | null {
  // Elsewhere Electron has no such method.
  if (platform !== 'darwin' || !app.isPackaged) {
    return null;
  }
  return passingPlace({
    platform,
    program: execPath,
    isInApplicationsFolder: app.isInApplicationsFolder(),
    isReadOnlyVolume: isOnReadOnlyVolume(execPath),
  });
}

/** The folder of apps that Electron moves this one to (its ElectronBundleMover::Move). */
export const applications = '/Applications';

/** access(2) tells a volume that can't be written to (EROFS) from a file that this user may not write to (EACCES). */
function isOnReadOnlyVolume(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}
