import type { Disposable } from '../../main/base/disposables.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { ElectronModule } from '../electron.ts';

export interface DialogsDeps {
  electron: Pick<ElectronModule, 'BrowserWindow' | 'session' | 'systemPreferences'>;
  platform: NodeJS.Platform;
  clock: Clock;
  log: Log;
}

/** What the renderer must not decide is asked in windows of the main process's own. */
export function createDialogs(_deps: DialogsDeps): Disposable {
  return { dispose: () => undefined };
}
