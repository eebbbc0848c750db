import type { Disposable } from './disposables.ts';

/** Of the time that a processor has, what reading may take. */
const share = 0.1;

/** The longest pause: somebody waits. */
const pauseMilliseconds = 250;

/**
 * One costly read for all who wait. Each gets what was read after they asked; however many ask, and whoever they are,
 * reading takes a tenth of a processor's time.
 */
export function createSharedRead<T>(
  read: () => Promise<T>,
  clock: { boottime(): number; after(milliseconds: number, run: () => void): Disposable },
): () => Promise<T> {
  let free: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  async function begin(): Promise<T> {
    next = null;
    const began = clock.boottime();
    const reading = read();
    free = reading.catch(() => undefined).then(() => pause((clock.boottime() - began) * (1 / share - 1)));
    return reading;
  }
  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      clock.after(Math.min(milliseconds, pauseMilliseconds), resolve);
    });
  }
  return () => {
    next ??= free.then(begin);
    return next;
  };
}
