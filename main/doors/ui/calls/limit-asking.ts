import { BrokerError } from '../../../contract/broker-error.ts';
import type { Clock } from '../../../ports/clock.ts';

export interface AskingLimits {
  /** The most that run at the same time. */
  atOnce: number;
  /** The most that start within a minute. */
  perMinute: number;
}

/**
 * Limits the checks that a page starts: a page that was taken over must not scan a network or a disk. Of those that run
 * at the same time, a check counts until it has really ended, even when no page waits for it. Of those of a minute, it
 * counts for a minute from its start. A check above a limit is rejected with BrokerError `test.busy` (reason
 * timedOut), and doesn’t count.
 */
export function createAskingLimit({ atOnce, perMinute }: AskingLimits, clock: Pick<Clock, 'boottime'>) {
  let running = 0;
  let begun: number[] = [];
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const now = clock.boottime();
    begun = begun.filter((at) => now - at < 60_000);
    if (running >= atOnce || begun.length >= perMinute) {
      return Promise.reject(
        new BrokerError('test.busy', 'too much was asked at once', {
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
