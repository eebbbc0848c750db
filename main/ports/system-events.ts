import type { Disposable } from '../base/disposables.ts';

/** Events of the machine that matter to renewals and to the lock. */
export interface SystemEvents {
  /** The machine is about to sleep. Only a desktop app gets this event. */
  onSleep(listener: () => void): Disposable;
  /** The machine slept and is awake again. */
  onWake(listener: () => void): Disposable;
  /** A network came back, or changed. */
  onNetwork(listener: () => void): Disposable;
  /** The user's screen was locked. Only a desktop app gets this event. */
  onScreenLock(listener: () => void): Disposable;
}
