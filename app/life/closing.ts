import type { ElectronModule } from '../electron.ts';
import type { DesktopFile } from '../notifications/desktop-file.ts';

export interface ClosingDeps {
  electron: Pick<ElectronModule, 'Notification' | 'dialog'>;
  platform: NodeJS.Platform;
  hasTray(): boolean;
  /** Stores that the user was told. */
  file: Pick<DesktopFile, 'current' | 'update'>;
  quit(): void;
}

/**
 * Handles closing the window. Lanyard keeps running, with or without a tray, because programs need it at any time.
 * The first time, tells the user so, and how to open the window again. Without a visible tray, asks in a dialog that
 * can't be missed.
 */
export function createClosing({ electron, platform, hasTray, file, quit }: ClosingDeps): () => void {
  const tell = async () => {
    if (hasTray()) {
      new electron.Notification(trayHint(platform)).show();
      return;
    }
    const { response } = await electron.dialog.showMessageBox({
      type: 'info',
      message: 'Lanyard is still running',
      detail:
        'Programs still get their credentials. This desktop has no system tray. Start Lanyard again to reopen its window.',
      buttons: ['Keep running', 'Quit Lanyard'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (response === 1) {
      quit();
    }
  };
  return () => {
    if (!file.current().toldOfClosing) {
      file.update({ toldOfClosing: true });
      tell().catch(() => undefined);
    }
  };
}

function trayHint(platform: NodeJS.Platform) {
  const place = platform === 'darwin' ? 'the menu bar' : 'the tray';
  return {
    title: `Lanyard is still running in ${place}`,
    body: 'Programs still get their credentials. Open and quit it there.',
  };
}
