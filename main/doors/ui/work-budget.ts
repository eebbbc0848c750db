import type { Clock } from '../../ports/clock.ts';

export interface WorkAllowance {
  /** Milliseconds of work without a wait. */
  atOnce: number;
  /** The share of the time after that, from 0 to 1. */
  share: number;
}

/** Limits how long costly calls occupy the thread that programs wait for. */
export interface WorkBudget {
  /** Resolves when the budget allows more work. Rejects with the signal’s reason. */
  ready(signal: AbortSignal): Promise<void>;
  /** Runs the work, and charges the time that it took. */
  spend<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * A page that calls in a loop gets its share of the time and no more; the user never notices. The cost of work is known
 * afterwards, so the next one waits for it (rule: bounded-input).
 */
export function createWorkBudget(
  { atOnce, share }: WorkAllowance,
  clock: Pick<Clock, 'boottime' | 'after'>,
): WorkBudget {
  let left = atOnce;
  let at = clock.boottime();
  const count = (spent: number) => {
    const now = clock.boottime();
    left = Math.min(atOnce, left + (now - at) * share) - spent;
    at = now;
  };
  return {
    async ready(signal) {
      for (count(0); left <= 0; count(0)) {
        signal.throwIfAborted();
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const timer = clock.after(Math.ceil(-left / share) + 1, resolve);
        const leave = () => reject(signal.reason);
        signal.addEventListener('abort', leave, { once: true });
        try {
          await promise;
        } finally {
          timer.dispose();
          signal.removeEventListener('abort', leave);
        }
      }
    },
    async spend(work) {
      const begun = clock.boottime();
      try {
        return await work();
      } finally {
        count(clock.boottime() - begun);
      }
    },
  };
}
