import type { Clock } from '../../ports/clock.ts';

/** A clock that tests set. What is asked for `after` runs on a next turn, and moves `boottime` by what was waited for. */
export class FakeClock implements Clock {
  #now: number;
  #boottime = 0;
  /** What was waited for, milliseconds each. */
  readonly waits: number[] = [];
  /** Waits end only after this. */
  gate: Promise<unknown> = Promise.resolve();

  constructor(now = Date.now()) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  boottime(): number {
    return this.#boottime;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    this.#boottime += milliseconds;
  }

  after(milliseconds: number, run: () => void) {
    this.waits.push(milliseconds);
    let ended = false;
    void this.gate.then(() =>
      setImmediate(() => {
        if (!ended) {
          this.#boottime += milliseconds;
          run();
        }
      }),
    );
    return {
      dispose: () => {
        ended = true;
      },
    };
  }
}
