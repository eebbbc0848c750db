import type { Disposable } from '../base/disposables.ts';
import type { Clock } from '../ports/clock.ts';

/** A signal that aborts with `signal`, or after `milliseconds`. */
export function withinTime(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  signal: AbortSignal,
): Disposable & { signal: AbortSignal } {
  const over = new AbortController();
  const timer = clock.after(milliseconds, () => over.abort());
  return { signal: AbortSignal.any([signal, over.signal]), dispose: () => timer.dispose() };
}
