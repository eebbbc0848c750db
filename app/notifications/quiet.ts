import type { Disposable } from '../../main/base/disposables.ts';
import { createListeners } from '../../main/base/listeners.ts';
import type { ElectronModule } from '../electron.ts';
import type { Pause } from './pause.ts';

export interface QuietDeps {
  electron: Pick<ElectronModule, 'Notification' | 'powerMonitor'>;
  pause: Pick<Pause, 'until' | 'onChange'>;
  /** Whether the desktop was told not to disturb the user. */
  doNotDisturb(): Promise<boolean>;
}

/** Whether the user is not to be disturbed: notifications are paused, the screen is locked, or the desktop says so. */
export interface Quiet extends Disposable {
  /** Whether the system shows notifications at all. */
  readonly areSupported: boolean;
  /** Uses the desktop's last answer. */
  isQuiet(): boolean;
  /** Asks the desktop first. */
  look(): Promise<boolean>;
  /** The quiet time may be over. */
  onChange(listener: () => void): Disposable;
}

export function createQuiet({ electron, pause, doNotDisturb }: QuietDeps): Quiet {
  const { powerMonitor, Notification } = electron;
  const changed = createListeners();
  let isTold = false;
  const unlocked = () => changed.tell();
  powerMonitor.on('unlock-screen', unlocked);
  const paused = pause.onChange(() => changed.tell());
  // The user isn't there while the screen is locked. Polled, because Linux has no event for it.
  const isAway = () => pause.until() !== null || powerMonitor.getSystemIdleState(1) === 'locked';
  return {
    areSupported: Notification.isSupported(),
    isQuiet: () => isAway() || isTold,
    async look() {
      if (isAway()) {
        return true;
      }
      isTold = await doNotDisturb();
      return isTold || isAway();
    },
    onChange: (listener) => changed.add(listener),
    dispose() {
      paused.dispose();
      powerMonitor.removeListener('unlock-screen', unlocked);
    },
  };
}
