import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronModule } from '../electron.ts';

export interface ClosingDeps {
  electron: Pick<ElectronModule, 'Notification' | 'dialog'>;
  platform: NodeJS.Platform;
  hasTray(): boolean;
  /** Where it is kept that the person was told. */
  folder: string;
  quit(): void;
}

/**
 * What closing the window does: Lanyard goes on, with a tray and without, for programs ask it at any time. A person is
 * told so the first time, and how to come back; with no tray to be seen, by a question that can't be missed.
 */
export function createClosing({ electron, platform, hasTray, folder, quit }: ClosingDeps): () => 'hide' {
  const file = join(folder, 'told-of-closing');
  const tell = async () => {
    if (hasTray()) {
      new electron.Notification(trayHint(platform)).show();
      return;
    }
    const { response } = await electron.dialog.showMessageBox({
      type: 'info',
      message: 'Lanyard goes on without its window',
      detail:
        'Programs still get their credentials. This desktop shows no tray: start Lanyard again to see its window.',
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
    if (!existsSync(file)) {
      remember(file);
      tell().catch(() => undefined);
    }
    return 'hide';
  };
}

function trayHint(platform: NodeJS.Platform) {
  const place = platform === 'darwin' ? 'the menu bar' : 'the tray';
  return {
    title: `Lanyard goes on in ${place}`,
    body: 'Programs still get their credentials. Open and quit it there.',
  };
}

/** Told twice is better than a close that fails. */
function remember(file: string): void {
  try {
    writeFileSync(file, '', { mode: 0o600 });
  } catch {
    // A full disk, or a folder that has gone.
  }
}
