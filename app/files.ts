import { join } from 'node:path';
import type { BuiltFiles } from '../main/start/start-broker.ts';

/** The files that were built with the app. */
export interface AppFiles extends BuiltFiles {
  preload: string;
  /** The folder with the images of the tray. */
  icons: string;
  /** The windows' icon on Linux. Undefined: it is part of the executable. */
  windowIcon: string | undefined;
}

export interface Places {
  /** The folder with the build: `dist`, or that of the archive. */
  dist: string;
  /** Electron's `resources` folder in an installed app, with the programs outside the archive. Null: not installed. */
  resources: string | null;
}

export function appFiles({ dist, resources }: Places): AppFiles {
  const programs = resources ?? dist;
  return {
    helper: join(programs, 'bin', process.platform === 'win32' ? 'lanyard.exe' : 'lanyard'),
    proxyProgram: join(programs, 'bin', process.platform === 'win32' ? 'lanyard-proxy.exe' : 'lanyard-proxy'),
    keysProgram: join(programs, 'bin', process.platform === 'win32' ? 'lanyard-keys.exe' : 'lanyard-keys'),
    addon: join(programs, 'native', 'lanyard.node'),
    pages: join(dist, 'renderer'),
    manPage: join(dist, 'app', 'lanyard.1'),
    preload: join(dist, 'app', 'preload.cjs'),
    icons: join(dist, 'app', 'icons'),
    windowIcon: process.platform === 'linux' ? join(dist, 'app', 'icons', 'window.png') : undefined,
  };
}
