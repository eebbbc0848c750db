import type { Disposable } from '../base/disposables.ts';
import type { Log } from '../ports/log.ts';
import type { SystemEvents } from '../ports/system-events.ts';
import type { Lock } from './lock.ts';

export interface ScreenLockDeps {
  events: Pick<SystemEvents, 'onScreenLock'>;
  lock: Lock;
  /** The approved `lock.withScreen`. */
  isWanted(): boolean;
  log: Log;
}

/** Closes the lock when the user's screen is locked, where the settings say so. */
export function lockWithScreen({ events, lock, isWanted, log }: ScreenLockDeps): Disposable {
  return events.onScreenLock(() => {
    if (isWanted() && lock.gate() === null) {
      lock.close('screen').catch((error: unknown) => {
        log.error('lock.screen', { error });
      });
    }
  });
}
