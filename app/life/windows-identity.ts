import type { ElectronModule } from '../electron.ts';

/** electron-builder.yml’s appId. The installer’s shortcut has it; Windows groups windows and notifications by it. */
const installedId = 'dev.lanyard.desktop';

/**
 * Windows uses it to send a click on a notification to the app. Electron writes it into the shortcut and the user’s
 * registry, where the uninstaller removes it (installer.nsh). Without it, Electron generates one for each shortcut
 * that an update replaces, and leaves the previous one behind.
 */
const toastActivator = '{D8C809BD-3688-4AC5-B271-6C7E36927D0F}';

/** Sets the app's identity on Windows. Call it before the app is ready. */
export function identifyOnWindows(
  app: Pick<ElectronModule['app'], 'isPackaged' | 'setAppUserModelId' | 'setName' | 'setToastActivatorCLSID'>,
): void {
  if (app.isPackaged) {
    app.setToastActivatorCLSID(toastActivator);
    app.setAppUserModelId(installedId);
  } else {
    // Electron writes a shortcut of this name. With the installed app’s name, that shortcut would start Electron.
    app.setName('Lanyard from its sources');
    app.setAppUserModelId(`${installedId}.sources`);
  }
}
