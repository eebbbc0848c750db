import type { ElectronModule } from '../electron.ts';
import { failures } from './failures.ts';

export interface MacInstallDeps {
  /** Squirrel's, whom electron-updater has told where the package is. */
  native: ElectronModule['autoUpdater'];
  /** Ends all that runs, then calls `last`. */
  handOver(last: () => void): Promise<void>;
}

/**
 * Squirrel.Mac takes the package over and checks its signature against this app's own; only when it has, all ends: until
 * then it may refuse, and the app goes on. It closes the windows itself, which would hide instead: they are gone by then.
 * That it works is shown on a Mac alone. Throws BrokerError.
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
