import { join } from 'node:path';
import type { ElectronModule } from '../electron.ts';

export interface AppOfUpdaterDeps {
  electron: Pick<ElectronModule, 'app'>;
  resources: string;
  folder: string;
}

/** The app, as electron-updater wants to have it (its AppAdapter). */
export interface AppOfUpdater {
  readonly version: string;
  readonly name: string;
  readonly isPackaged: boolean;
  readonly appUpdateConfigPath: string;
  readonly userDataPath: string;
  readonly baseCachePath: string;
  whenReady(): Promise<void>;
  /** The new version is to start when this one has ended; `program`: an AppImage under its new name. */
  relaunch(program?: string): void;
  quit(): void;
  onQuit(): void;
  /** Ends this process: all that ran has been ended. */
  leave(): void;
}

export function createAppOfUpdater({ electron, resources, folder }: AppOfUpdaterDeps): AppOfUpdater {
  const { app } = electron;
  return {
    version: app.getVersion(),
    name: 'lanyard',
    isPackaged: app.isPackaged,
    // Says who signs installers on Windows, and how the folder of packages is called.
    appUpdateConfigPath: join(resources, 'app-update.yml'),
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => app.whenReady(),
    relaunch: (program) =>
      app.relaunch(program === undefined ? { args: [] } : { execPath: program, args: [] }),
    // It installs, and we end the app; nothing is installed because the app ends.
    quit: () => undefined,
    onQuit: () => undefined,
    leave: () => app.exit(0),
  };
}
