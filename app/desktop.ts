import type { Disposable } from '../main/base/disposables.ts';
import type { Desktop } from '../main/ports/desktop.ts';
import type { LoginItem } from './life/login-item.ts';
import type { Pause } from './notifications/pause.ts';
import type { Quiet } from './notifications/quiet.ts';
import type { Updates } from './updates/index.ts';

export interface DesktopParts {
  loginItem: LoginItem;
  hasTray(): boolean;
  pause: Pause;
  quiet: Pick<Quiet, 'areSupported' | 'isQuiet'>;
  updates: Updates;
  chooseFiles: Desktop['chooseFiles'];
}

/** The parts of the app that pages can see and change. */
export function createDesktop({
  loginItem,
  hasTray,
  pause,
  quiet,
  updates,
  chooseFiles,
}: DesktopParts): Desktop {
  return {
    view: () => ({
      startsAtLogin: loginItem.state(),
      hasTray: hasTray(),
      notifies: quiet.areSupported,
      notificationsPausedUntil: pause.until(),
      update: updates.view(),
    }),
    onChange(listener): Disposable {
      const all = [loginItem.onChange(listener), pause.onChange(listener), updates.onChange(listener)];
      return { dispose: () => all.forEach((each) => void each.dispose()) };
    },
    setStartAtLogin: (on) => loginItem.set(on),
    tellsNow: () => quiet.areSupported && !quiet.isQuiet(),
    pauseNotifications: (milliseconds) => pause.pause(milliseconds),
    checkForUpdate: (signal) => updates.check(signal),
    fetchUpdate: (signal) => updates.fetch(signal),
    installUpdate: () => updates.install(),
    chooseFiles,
  };
}
