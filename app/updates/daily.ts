import type { Disposable } from '../../main/base/disposables.ts';
import type { Clock } from '../../main/ports/clock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** The start has other work to do. */
const earliest = 5 * minute;
/** Spreads the checks, so that not all apps check at the same time after sleep or the start of work. */
const spread = 60 * minute;
const again = 10 * minute;

export interface DailyDeps {
  clock: Clock;
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** When it last ran, in milliseconds since 1970. Null: not known. */
  last(): number | null;
  /** Whether it must not run now. It is tried again in ten minutes. */
  isInTheWay(): boolean;
  run(): Promise<void>;
}

/** Runs a task at most once a day, at no fixed time. */
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
  // A clock that was set back delays it for at most a day.
  const since = Math.max(0, clock.now() - (last() ?? Number.NEGATIVE_INFINITY));
  wait(Math.max(earliest, day - since) + random() * spread);
  return {
    dispose() {
      ended = true;
      timer?.dispose();
    },
  };
}
