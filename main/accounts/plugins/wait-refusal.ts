import type { Refusal } from '../../contract/refusal.ts';

/** A program that is kept running isn’t started yet again. `last`: why it runs no more. */
export function waitRefusal(last: Refusal, milliseconds: number): Refusal {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  return {
    ...last,
    message: `${last.message}; it is started again in ${seconds} s`,
    retryAfterSeconds: seconds,
    unasked: true,
  };
}
