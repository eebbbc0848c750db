import type { Disposable } from '../../main/base/disposables.ts';
import type { UiDoor } from '../../main/doors/ui/index.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { ElectronModule } from '../electron.ts';
import type { AppFiles } from '../files.ts';

export interface MainWindowDeps {
  electron: Pick<ElectronModule, 'BrowserWindow' | 'session' | 'ipcMain' | 'nativeTheme' | 'shell' | 'app'>;
  platform: NodeJS.Platform;
  files: AppFiles;
  door: Pick<UiDoor, 'connect'>;
  page: LocalPage;
  clock: Clock;
  log: Log;
}

/** The one window with Lanyard's pages. */
export interface MainWindow extends Disposable {
  /** Makes it or brings it to the front; `route`: `#/clusters/prod`; null: where it was. */
  show(route: string | null): void;
  isShown(): boolean;
}

export function createMainWindow(_deps: MainWindowDeps): MainWindow {
  return { show: () => undefined, isShown: () => false, dispose: () => undefined };
}
