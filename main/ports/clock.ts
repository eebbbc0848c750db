import type { Disposable } from '../base/disposables.ts';

/** Time, as the broker sees it. Tests set it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. The user or NTP may set it forwards and backwards. */
  now(): number;
  /** Milliseconds on a clock that never goes back, and runs on while the machine sleeps. */
  boottime(): number;
  /** Calls `run` once after `milliseconds`. */
  after(milliseconds: number, run: () => void): Disposable;
}
