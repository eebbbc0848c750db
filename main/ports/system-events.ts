import type { Disposable } from '../base/disposables.ts';

/** What happens to the machine and matters to renewals and to the lock. */
export interface SystemEvents {
  /** The machine is about to sleep. Only a desktop app is told: elsewhere nobody ever is. */
  onSleep(listener: () => void): Disposable;
  /** The machine slept and is awake again. */
  onWake(listener: () => void): Disposable;
  /** A network came back, or is another one. */
  onNetwork(listener: () => void): Disposable;
  /** The person's screen was locked. Only a desktop app sees it: elsewhere nobody is ever told. */
  onScreenLock(listener: () => void): Disposable;
}
