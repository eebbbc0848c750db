import type { ElectronModule } from '../electron.ts';
import { failures } from './failures.ts';

export interface MacInstallDeps {
  /** Squirrel's. electron-updater has told it where the package is. */
  native: ElectronModule['autoUpdater'];
  /** Ends everything that runs, then calls `last`. */
  handOver(last: () => void): Promise<void>;
}

/**
 * Squirrel.Mac takes the package, and checks its signature against this app's own. The app ends only after that:
 * until then Squirrel may refuse it, and the app keeps running. Squirrel would close the windows, which would only
 * hide, so they are destroyed before. Only a test on a Mac can show that this works. Throws BrokerError.
 */
export async function installOnMac({ native, handOver }: MacInstallDeps): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const refused = (error: Error) => {
      native.removeListener('update-downloaded', taken);
      reject(failures.notInstalled(error));
    };
    const taken = () => {
      native.removeListener('error', refused);
      handOver(() => native.quitAndInstall()).then(resolve, reject);
    };
    native.once('error', refused);
    native.once('update-downloaded', taken);
    native.checkForUpdates();
  });
}
