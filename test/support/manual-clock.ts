import type { Clock } from '../../main/ports/clock.ts';

/** A clock that stands still until a test moves it. The wall clock can be set apart from the boottime clock. */
export class ManualClock implements Clock {
  #wall: number;
  #boottime = 1_000_000;
  readonly #timers = new Set<{ at: number; run: () => void }>();

  constructor(wall = Date.UTC(2026, 0, 1)) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  boottime(): number {
    return this.#boottime;
  }

  after(milliseconds: number, run: () => void) {
    const timer = { at: this.#boottime + milliseconds, run };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** Time passes on both clocks, and timers that are due run. */
  advance(milliseconds: number): void {
    this.#wall += milliseconds;
    this.#boottime += milliseconds;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at <= this.#boottime && this.#timers.delete(timer)) {
        timer.run();
      }
    }
  }

  /** The machine sleeps: time passes on both clocks, but timers stand still meanwhile. */
  sleep(milliseconds: number): void {
    this.#wall += milliseconds;
    this.#boottime += milliseconds;
    for (const timer of this.#timers) {
      timer.at += milliseconds;
    }
  }

  /** A person or NTP sets the wall clock. */
  setWall(milliseconds: number): void {
    this.#wall = milliseconds;
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.size;
  }
}
