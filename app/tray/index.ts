import type { Disposable } from '../../main/base/disposables.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Act } from '../actions.ts';
import type { ElectronModule } from '../electron.ts';

export interface TrayDeps {
  electron: Pick<ElectronModule, 'Tray' | 'Menu' | 'nativeImage' | 'nativeTheme'>;
  platform: NodeJS.Platform;
  clock: Clock;
  page: LocalPage;
  act: Act;
  /** The folder of its pictures. */
  icons: string;
}

/** The icon in the system's tray, and its menu. */
export function createTray(_deps: TrayDeps): Disposable {
  return { dispose: () => undefined };
}
