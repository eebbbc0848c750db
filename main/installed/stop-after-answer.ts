import type { Clock } from '../ports/clock.ts';

/** A caller that keeps its connection open longer than this delays nothing. */
const limitMilliseconds = 5_000;

/** Runs `stop` once, when the caller has its answer and has disconnected. */
export function stopAfterAnswer(stop: () => void, gone: AbortSignal, clock: Pick<Clock, 'after'>): void {
  let stopped = false;
  const once = () => {
    void limit.dispose();
    if (!stopped) {
      stopped = true;
      stop();
    }
  };
  const limit = clock.after(limitMilliseconds, once);
  if (gone.aborted) {
    once();
  } else {
    gone.addEventListener('abort', once, { once: true });
  }
}
