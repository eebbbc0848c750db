import type { LocalPage } from '../main/doors/ui/local-page.ts';
import type { Log } from '../main/ports/log.ts';
import type { Act, Action } from './actions.ts';
import type { Pause } from './notifications/pause.ts';
import type { MainWindow } from './windows/index.ts';

export interface ActingDeps {
  page: Pick<LocalPage, 'call'>;
  window: Pick<MainWindow, 'show'>;
  pause: Pick<Pause, 'pause'>;
  quit(): void;
  log: Log;
}

/** Carries out what was clicked outside of the pages. What fails is shown in the window, where it can be done again. */
export function createActing({ page, window, pause, quit, log }: ActingDeps): Act {
  const run = async (action: Action): Promise<void> => {
    switch (action.kind) {
      case 'show':
        window.show(action.route);
        return;
      case 'login':
        await page.call('account.login', { account: action.account, flow: null });
        return;
      case 'renew':
        await page.call('cluster.renew', { cluster: action.cluster });
        return;
      case 'useContext':
        await page.call('context.use', { context: action.context });
        return;
      case 'lock':
        await page.call('lock.close', {});
        return;
      case 'unlock':
      case 'confirm':
        await page.call('window.open', { what: action.kind });
        return;
      case 'question':
        await page.call('window.open', { what: 'question', id: action.id });
        return;
      case 'pauseNotifications':
        pause.pause(action.milliseconds);
        return;
      case 'quit':
        quit();
        return;
    }
  };
  return (action) => {
    run(action).catch((error: unknown) => {
      log.warn('app.action', { action: action.kind, error });
      window.show(null);
    });
  };
}
