import { renewedWords } from '../main/contract/ui/renewed-words.ts';
import { CallRefused, type LocalPage } from '../main/doors/ui/local-page.ts';
import type { Clock } from '../main/ports/clock.ts';
import type { Log } from '../main/ports/log.ts';
import type { Act, Action } from './actions.ts';
import type { ElectronModule } from './electron.ts';
import { failureWords } from './failure-words.ts';
import type { Pause } from './notifications/pause.ts';
import { untilTomorrow } from './until-tomorrow.ts';
import type { MainWindow } from './windows/index.ts';

export interface ActingDeps {
  electron: Pick<ElectronModule, 'dialog'>;
  clock: Pick<Clock, 'now'>;
  page: Pick<LocalPage, 'call'>;
  window: Pick<MainWindow, 'show'>;
  pause: Pick<Pause, 'pause'>;
  quit(): void;
  log: Log;
}

/** Carries out clicks outside the pages. Shows an error dialog with a button for the window if an action fails. */
export function createActing({ electron, clock, page, window, pause, quit, log }: ActingDeps): Act {
  const run = async (action: Action): Promise<void> => {
    switch (action.kind) {
      case 'show':
        window.show(action.route);
        return;
      case 'login':
        await logIn(action.account);
        return;
      case 'renew':
        await renew(action.cluster);
        return;
      case 'useContext':
        await page.call('context.use', { context: action.context });
        return;
      case 'lock':
        await page.call('lock.close', {});
        return;
      case 'unlock':
        await unlock();
        return;
      case 'confirm':
        await page.call('window.open', { what: 'confirm' });
        return;
      case 'question':
        await page.call('window.open', { what: 'question', id: action.id });
        return;
      case 'pauseNotifications':
        pause.pause(action.span === 'untilTomorrow' ? untilTomorrow(clock.now()) : action.span);
        return;
      case 'quit':
        quit();
        return;
    }
  };

  async function renew(cluster: string): Promise<void> {
    const { renewed } = await page.call('cluster.renew', { cluster });
    const { text, detail, hasFailed } = renewedWords(cluster, renewed);
    if (hasFailed) {
      const hint = detail ?? undefined;
      throw new CallRefused({ reason: 'provider', code: 'renew.partly', message: text, hint });
    }
  }

  /** Unlocks with biometrics or the keychain, if that is enough. Else opens the dialog for the passphrase. */
  async function unlock(): Promise<void> {
    try {
      await page.call('lock.open', {});
    } catch (error) {
      if (!(error instanceof CallRefused && error.failure.code === 'unlock.passphrase')) {
        throw error;
      }
      await page.call('window.open', { what: 'unlock' });
    }
  }

  async function logIn(account: string): Promise<void> {
    let isInDialog = false;
    const onProgress: Parameters<typeof page.call<'account.login'>>[2] = {
      onProgress(step) {
        isInDialog = step.shows === 'pin' && !step.atPad;
        if (!isInDialog && !(step.shows === 'browserPage' && step.opened)) {
          // The window shows a code to type, an address to open by hand, or what a token waits for.
          window.show(`#/accounts/${encodeURIComponent(account)}`);
        }
      },
    };
    try {
      await page.call('account.login', { account, flow: null }, onProgress);
    } catch (error) {
      // The dialog that asked for the PIN has said it.
      if (!isInDialog) {
        throw error;
      }
    }
  }

  /** The dialogs that are open: a second click on the same item opens no second one. */
  const said = new Set<string>();
  async function say(action: Action, error: unknown): Promise<void> {
    const words = failureWords(action, error);
    if (words === null || said.has(words.message)) {
      return;
    }
    said.add(words.message);
    try {
      const { response } = await electron.dialog.showMessageBox({
        ...words,
        type: 'warning',
        title: 'Lanyard',
        buttons: ['OK', 'Open Lanyard'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      if (response === 1) {
        window.show(null);
      }
    } finally {
      said.delete(words.message);
    }
  }

  return (action) => {
    run(action).catch((error: unknown) => {
      log.warn('app.action', { action: action.kind, error });
      say(action, error).catch((unsaid: unknown) => log.error('app.action.said', { error: unsaid }));
    });
  };
}
