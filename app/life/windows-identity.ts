import type { ElectronModule } from '../electron.ts';

/** electron-builder.yml’s appId: the installer’s shortcut has it, and Windows groups windows and notifications by it. */
const installedId = 'dev.lanyard.desktop';

/**
 * Windows uses it to bring a click on a notification back to the app. Electron writes it into the shortcut and the
 * user’s registry, where the uninstaller removes it (installer.nsh); without it, Electron makes up another one for
 * each shortcut that an update replaces, and leaves the previous one behind.
 */
const toastActivator = '{D8C809BD-3688-4AC5-B271-6C7E36927D0F}';

/** Says who this app is: on Windows, and before the app is ready. */
export function identifyOnWindows(
  app: Pick<ElectronModule['app'], 'isPackaged' | 'setAppUserModelId' | 'setName' | 'setToastActivatorCLSID'>,
): void {
  if (app.isPackaged) {
    app.setToastActivatorCLSID(toastActivator);
    app.setAppUserModelId(installedId);
  } else {
    // Electron writes a shortcut of the app’s name: under the installed one’s it would lead there to Electron’s own program.
    app.setName('Lanyard from its sources');
    app.setAppUserModelId(`${installedId}.sources`);
  }
}
