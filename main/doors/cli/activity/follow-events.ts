import { setImmediate as nextTurn } from 'node:timers/promises';
import { Disposables } from '../../../base/disposables.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { HistoryReader, RecordedEvent } from '../../../ports/history-reader.ts';

/** How long a helper waits at most for the next frame (`progress` in contract/frames.ts), and when that is repeated. */
const staySeconds = 3_600;
const staySaidMilliseconds = 1_800_000;

export interface FollowOptions {
  history: Pick<HistoryReader, 'after' | 'onRecorded'>;
  clock: Clock;
  /** Shown are events with a larger id. */
  after: number;
  signal: AbortSignal;
  show(events: readonly RecordedEvent[]): void;
  /** Tells the helper to wait on. */
  stay(seconds: number): void;
}

/** Shows events as they are recorded, until the signal aborts. Throws BrokerError where the history can't be read. */
export async function followEvents({
  history,
  clock,
  signal,
  show,
  stay,
  ...from
}: FollowOptions): Promise<void> {
  const ending = new Disposables();
  let wake: () => void = () => undefined;
  let last = from.after;
  try {
    const sayStay = () => {
      stay(staySeconds);
      ending.add(clock.after(staySaidMilliseconds, sayStay));
    };
    sayStay();
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort, { once: true });
    ending.add({ dispose: () => signal.removeEventListener('abort', onAbort) });
    let news = true;
    ending.add(
      history.onRecorded(() => {
        news = true;
        wake();
      }),
    );
    while (!signal.aborted) {
      if (!news) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        // Events of the same turn are sent together, and after the answer that they are about.
        await nextTurn();
      }
      news = false;
      const events = signal.aborted ? [] : history.after(last);
      if (events.length > 0) {
        last = events.at(-1)?.id ?? last;
        show(events);
        news = true;
        await nextTurn();
      }
    }
  } finally {
    await ending.dispose();
  }
}
