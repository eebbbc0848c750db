import { join } from 'node:path';
import type { BuiltFiles } from '../main/start/start-broker.ts';

/** What was built beside the app. */
export interface AppFiles extends BuiltFiles {
  preload: string;
  /** The folder of the tray's and the windows' pictures. */
  icons: string;
}

export interface Places {
  /** The folder that holds what was built: `dist`, or the archive's. */
  dist: string;
  /** Electron's `resources` of an installed app, where programs lie outside of the archive; null: not installed. */
  resources: string | null;
}

export function appFiles({ dist, resources }: Places): AppFiles {
  const programs = resources ?? dist;
  return {
    helper: join(programs, 'bin', process.platform === 'win32' ? 'lanyard.exe' : 'lanyard'),
    addon: join(programs, 'native', 'lanyard.node'),
    pages: join(dist, 'renderer'),
    manPage: join(dist, 'app', 'lanyard.1'),
    preload: join(dist, 'app', 'preload.cjs'),
    icons: join(dist, 'app', 'icons'),
  };
}
