import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Paths, resolvePaths } from '../../main/domain/paths.ts';
import type { ElectronModule } from '../electron.ts';

export interface OwnFolderDeps {
  app: Pick<ElectronModule['app'], 'setPath'>;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/**
 * The home's paths, with Chromium's own files below it. Its usual folder has the app's name, which on macOS is the home
 * itself: to be called before anything else of Electron is used. Where there is no home, or nothing can be written to, they
 * go among the temporary files, for the dialog that says so is Chromium's as well; it throws BrokerError or what the system
 * throws.
 */
export function ownFolder({ app, env, platform }: OwnFolderDeps): Paths {
  try {
    const paths = resolvePaths(env, platform);
    mkdirSync(paths.desktop, { recursive: true, mode: 0o700 });
    app.setPath('userData', paths.desktop);
    return paths;
  } catch (error) {
    app.setPath('userData', mkdtempSync(join(tmpdir(), 'lanyard-')));
    throw error;
  }
}
