import type { Clock } from '../../ports/clock.ts';

/** A clock that tests set. `after` runs at once, on the next turn, and moves the clock by what was waited for. */
export class FakeClock implements Clock {
  #now: number;
  /** What was waited for, milliseconds each. */
  readonly waits: number[] = [];

  constructor(now = Date.now()) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  boottime(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  after(milliseconds: number, run: () => void) {
    this.waits.push(milliseconds);
    const timer = setImmediate(() => {
      this.#now += milliseconds;
      run();
    });
    return { dispose: () => clearImmediate(timer) };
  }
}
