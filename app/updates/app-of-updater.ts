import { join } from 'node:path';
import type { ElectronModule } from '../electron.ts';

export interface AppOfUpdaterDeps {
  electron: Pick<ElectronModule, 'app'>;
  resources: string;
  folder: string;
}

/** The app, in the form that electron-updater needs (its AppAdapter). */
export interface AppOfUpdater {
  readonly version: string;
  readonly name: string;
  readonly isPackaged: boolean;
  readonly appUpdateConfigPath: string;
  readonly userDataPath: string;
  readonly baseCachePath: string;
  whenReady(): Promise<void>;
  /** Starts the new version after this process has ended. `program`: an AppImage under its new name. */
  relaunch(program?: string): void;
  quit(): void;
  onQuit(): void;
  /** Ends this process, after everything that ran has ended. */
  leave(): void;
}

export function createAppOfUpdater({ electron, resources, folder }: AppOfUpdaterDeps): AppOfUpdater {
  const { app } = electron;
  return {
    version: app.getVersion(),
    name: 'lanyard',
    isPackaged: app.isPackaged,
    // The file has the signer of the installers on Windows, and the name of the folder for packages.
    appUpdateConfigPath: join(resources, 'app-update.yml'),
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: () => app.whenReady(),
    relaunch: (program) =>
      app.relaunch(program === undefined ? { args: [] } : { execPath: program, args: [] }),
    // electron-updater installs, but this app ends itself. Quitting the app installs nothing.
    quit: () => undefined,
    onQuit: () => undefined,
    leave: () => app.exit(0),
  };
}
