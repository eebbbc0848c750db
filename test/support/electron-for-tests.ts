import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { realElectron } from '../../scripts/fetch-real-electron.ts';
import { findElectron } from '../../scripts/find-electron.ts';

const repository = join(import.meta.dirname, '..', '..');

/** The app that test/real-electron/build.ts builds for the older one: that Electron's first word. */
export const realElectronApp = join(repository, '.cache', 'real-electron-app');

/** An Electron that tests start, and what they start with it. */
export interface ElectronForTests {
  program: string;
  /** The folder of the built app. */
  app: string;
  /** The one that Lanyard is written for, or the older one of test/real-electron. */
  is: 'pinned' | 'older';
}

/** Null: none is here. */
export function electronForTests(env: NodeJS.ProcessEnv): ElectronForTests | null {
  const pinned = findElectron(repository, env);
  if (pinned !== null) {
    return { program: pinned, app: repository, is: 'pinned' };
  }
  const program = join(realElectron, process.platform === 'win32' ? 'electron.exe' : 'electron');
  return existsSync(program) ? { program, app: realElectronApp, is: 'older' } : null;
}
