import type { Refusal } from '../../contract/refusal.ts';
import { spanText } from '../../contract/ui/time-texts.ts';

/** A program that is kept running isn’t started yet again. `last`: why it runs no more. */
export function waitRefusal(last: Refusal, milliseconds: number): Refusal {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  return {
    ...last,
    message: `${last.message}; it is started again in ${spanText(seconds * 1000)}`,
    retryAfterSeconds: seconds,
    unasked: true,
  };
}
