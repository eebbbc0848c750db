import { BrokerError } from '../../../../contract/broker-error.ts';
import type { Clock } from '../../../../ports/clock.ts';

export interface AskingLimits {
  /** Under way at once. */
  atOnce: number;
  /** Begun within a minute. */
  perMinute: number;
}

/**
 * Runs what a page asks for, few at once and not many in a minute: a page that was taken over must not scan a network or
 * a disk with it. What is under way counts until it has really ended, whether anybody still waits for it or not.
 */
export function createAskingLimit({ atOnce, perMinute }: AskingLimits, clock: Pick<Clock, 'boottime'>) {
  let running = 0;
  let begun: number[] = [];
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const now = clock.boottime();
    begun = begun.filter((at) => now - at < 60_000);
    if (running >= atOnce || begun.length >= perMinute) {
      return Promise.reject(
        new BrokerError('account.test.busy', 'too much was asked at once', {
          reason: 'timedOut',
          hint: 'wait a minute, and try again',
        }),
      );
    }
    running += 1;
    begun.push(now);
    return work().finally(() => {
      running -= 1;
    });
  };
}
