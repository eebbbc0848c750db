import type { Clock } from '../../ports/clock.ts';
import type { NativeAddon } from './addon.ts';

/** The machine's own clocks. Timers don't keep the process alive. */
export function createSystemClock(addon: Pick<NativeAddon, 'boottimeMilliseconds'>): Clock {
  return {
    now: () => Date.now(),
    boottime: () => addon.boottimeMilliseconds(),
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      timer.unref();
      return { dispose: () => clearTimeout(timer) };
    },
  };
}
