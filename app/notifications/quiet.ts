import type { Disposable } from '../../main/base/disposables.ts';
import { createListeners } from '../../main/base/listeners.ts';
import type { ElectronModule } from '../electron.ts';
import type { Pause } from './pause.ts';

export interface QuietDeps {
  electron: Pick<ElectronModule, 'Notification' | 'powerMonitor'>;
  pause: Pick<Pause, 'until' | 'onChange'>;
  /** The desktop was told not to disturb. */
  doNotDisturb(): Promise<boolean>;
}

/** When the user isn't to be disturbed: paused, the screen is locked, or the desktop says so. */
export interface Quiet extends Disposable {
  /** The system shows notifications at all. */
  readonly areSupported: boolean;
  /** By what was known last; the desktop isn't asked. */
  isQuiet(): boolean;
  /** The same, with the desktop asked. */
  look(): Promise<boolean>;
  /** It may be over. */
  onChange(listener: () => void): Disposable;
}

export function createQuiet({ electron, pause, doNotDisturb }: QuietDeps): Quiet {
  const { powerMonitor, Notification } = electron;
  const changed = createListeners();
  let isTold = false;
  const unlocked = () => changed.tell();
  powerMonitor.on('unlock-screen', unlocked);
  const paused = pause.onChange(() => changed.tell());
  // A user who locked the screen isn't there. Asked, not listened for: Linux has no event for it.
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
