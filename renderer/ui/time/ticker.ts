/** What a ticker needs from the page. */
export interface TickerDeps {
  /** The broker's wall clock. */
  now(): number;
  setTimeout(run: () => void, milliseconds: number): number;
  clearTimeout(timer: number): void;
}

/** One clock for the complete page: all times are updated together. */
export interface Ticker {
  /** The time at the last full step, which stays the same value until the next. */
  at(stepMilliseconds: number): number;
  subscribe(stepMilliseconds: number, listener: () => void): () => void;
  /** Updates everything now: the clock was set, or the page is visible again. */
  tick(): void;
}

export function createTicker({ now, setTimeout, clearTimeout }: TickerDeps): Ticker {
  const listeners = new Map<number, Set<() => void>>();
  const timers = new Map<number, number>();
  const arm = (step: number) => {
    timers.set(
      step,
      setTimeout(
        () => {
          for (const listener of listeners.get(step) ?? []) {
            listener();
          }
          if (listeners.has(step)) {
            arm(step);
          }
        },
        // A little after the full step, so that a timer that fires early doesn't return the step before.
        step - (((now() % step) + step) % step) + 5,
      ),
    );
  };
  return {
    at: (step) => Math.floor(now() / step) * step,
    subscribe(step, listener) {
      const set = listeners.get(step) ?? new Set();
      set.add(listener);
      if (!listeners.has(step)) {
        listeners.set(step, set);
        arm(step);
      }
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(step) === set) {
          listeners.delete(step);
          clearTimeout(timers.get(step) ?? 0);
        }
      };
    },
    tick() {
      for (const set of listeners.values()) {
        for (const listener of set) {
          listener();
        }
      }
    },
  };
}
