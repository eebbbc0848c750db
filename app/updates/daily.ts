import type { Disposable } from '../../main/base/disposables.ts';
import type { Clock } from '../../main/ports/clock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** The start has other things to do. */
const earliest = 5 * minute;
/** So that not everybody asks after the same hour's sleep or start of work. */
const spread = 60 * minute;
const again = 10 * minute;

export interface DailyDeps {
  clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  /** When it was last done, milliseconds since 1970; null: never, as far as is known. */
  last(): number | null;
  /** Not now: it is tried again in ten minutes. */
  isInTheWay(): boolean;
  run(): Promise<void>;
}

/** Does something once a day at most, at no fixed time. */
export function createDaily({ clock, random, last, isInTheWay, run }: DailyDeps): Disposable {
  let timer: Disposable | null = null;
  let ended = false;
  const wait = (milliseconds: number) => {
    if (!ended) {
      timer = clock.after(milliseconds, due);
    }
  };
  const due = () => {
    if (isInTheWay()) {
      wait(again);
      return;
    }
    void run().finally(() => wait(day + random() * spread));
  };
  // A clock that was set back doesn't put it off for longer than a day.
  const since = Math.max(0, clock.now() - (last() ?? Number.NEGATIVE_INFINITY));
  wait(Math.max(earliest, day - since) + random() * spread);
  return {
    dispose() {
      ended = true;
      timer?.dispose();
    },
  };
}
