import type { Clock } from '../ports/clock.ts';
import type { SourceTrouble } from './source-fault.ts';

export type SyncOutcome = { ok: true } | ({ ok: false } & SourceTrouble);

/** In milliseconds: a person waits for a sync. */
const syncMilliseconds = 30_000;

/** The outcome of a sync; after a while what it still waits for, as a noun. The reading goes on. */
export function answeredInTime(
  clock: Pick<Clock, 'after'>,
  outcome: Promise<SyncOutcome>,
  waitsFor: () => string,
): Promise<SyncOutcome> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(syncMilliseconds, () =>
      resolve({
        ok: false,
        code: 'silent',
        text: `after ${syncMilliseconds / 1000} s it still waits for ${waitsFor()}; it goes on`,
      }),
    );
    outcome.then(resolve, reject).finally(() => timer.dispose());
  });
}
