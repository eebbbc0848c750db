import type { AppOfUpdater } from './app-of-updater.ts';

export interface WindowsInstallDeps {
  /** Starts the installer; false: it couldn't be. */
  install(): boolean;
  app: Pick<AppOfUpdater, 'relaunch' | 'leave'>;
  /** Ends all that runs, then calls `last`. */
  handOver(last: () => void): Promise<void>;
}

/**
 * All ends before the installer starts: within two seconds it kills what still runs of the app, a refresh that waits for
 * its answer too. Where it can't be started, this version is. That it works is shown on Windows alone.
 */
export async function installOnWindows({ install, app, handOver }: WindowsInstallDeps): Promise<void> {
  await handOver(() => {
    if (!install()) {
      app.relaunch();
    }
    app.leave();
  });
}
