import type { Disposable } from '../../main/base/disposables.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { Act } from '../actions.ts';
import type { ElectronModule } from '../electron.ts';
import type { Pause } from './pause.ts';

export interface NotifierDeps {
  electron: Pick<ElectronModule, 'Notification' | 'powerMonitor'>;
  clock: Clock;
  log: Log;
  page: LocalPage;
  pause: Pause;
  act: Act;
}

/** Tells the person what is new, once, where a click leads to it. */
export function createNotifier(_deps: NotifierDeps): Disposable {
  return { dispose: () => undefined };
}
