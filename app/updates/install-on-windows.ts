import type { AppOfUpdater } from './app-of-updater.ts';

export interface WindowsInstallDeps {
  /** Starts the installer. Returns false if that fails. */
  install(): boolean;
  app: Pick<AppOfUpdater, 'relaunch' | 'leave'>;
  /** Ends everything that runs, then calls `last`. */
  handOver(last: () => void): Promise<void>;
}

/**
 * Ends everything before the installer starts, which would kill the app within two seconds, even during a refresh. If
 * the installer can't be started, starts this version again. Only a test on Windows can show that this works.
 */
export async function installOnWindows({ install, app, handOver }: WindowsInstallDeps): Promise<void> {
  await handOver(() => {
    if (!install()) {
      app.relaunch();
    }
    app.leave();
  });
}
