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
 * The home's paths, with Chromium's files in a folder below. Chromium's default folder has the app's name, which on
 * macOS is the home itself. So call this before anything else of Electron. If the home can't be found or written to,
 * throws BrokerError or the system's error. Then Chromium's files go to a temporary folder, because the error dialog
 * needs Chromium, too.
 */
export function ownFolder({ app, env, platform }: OwnFolderDeps): Paths {
  try {
    const paths = resolvePaths(env, platform);
    mkdirSync(paths.desktop, { recursive: true, mode: 0o700 });
    app.setPath('userData', paths.desktop);
    return paths;
  } catch (error) {
    passingFolder(app);
    throw error;
  }
}

/** Chromium's files in a temporary folder, for an app that shows a dialog and ends. */
export function passingFolder(app: OwnFolderDeps['app']): void {
  app.setPath('userData', mkdtempSync(join(tmpdir(), 'lanyard-')));
}
