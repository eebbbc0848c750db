import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './target.ts';

/** Where things lie in an installed app. */
export interface Layout {
  platform: Target['platform'];
  /** What holds the fuses: the program, on macOS the bundle. */
  electron: string;
  /** Electron's `resources`. */
  resources: string;
}

/** Reads an unpacked app: a folder of Linux or Windows, a bundle of macOS. Null: it is none. */
export function layoutOf(folder: string): Layout | null {
  const candidates: Layout[] = [
    { platform: 'darwin', electron: folder, resources: join(folder, 'Contents', 'Resources') },
    { platform: 'win32', electron: join(folder, 'Lanyard.exe'), resources: join(folder, 'resources') },
    { platform: 'linux', electron: join(folder, 'lanyard-desktop'), resources: join(folder, 'resources') },
  ];
  return (
    candidates.find(
      ({ electron, resources }) => existsSync(electron) && existsSync(join(resources, 'app.asar')),
    ) ?? null
  );
}

/** The unpacked apps that electron-builder left in its output folder. */
export function unpackedApps(output: string): string[] {
  if (!existsSync(output)) {
    return [];
  }
  const folders = readdirSync(output)
    .map((name) => join(output, name))
    .filter((path) => statSync(path).isDirectory());
  return folders
    .flatMap((folder) => [folder, join(folder, 'Lanyard.app')])
    .filter((folder) => layoutOf(folder) !== null);
}
