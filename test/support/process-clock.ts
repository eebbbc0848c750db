import type { Clock } from '../../main/ports/clock.ts';

/** The clock of a test's own process, which ends with its timers. */
export const processClock: Clock = {
  now: () => Date.now(),
  boottime: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};
