import { BrokerError } from '../../../contract/broker-error.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { UiHandlers } from '../handlers.ts';

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

/**
 * The calls that ask a server, or run a program, each time a page makes them. Tests of clusters, registries and
 * accounts, and syncs of inventories, have limits of their own, which count what goes on without a page, too.
 */
export const callLimits: Partial<Record<keyof UiHandlers, AskingLimits>> = {
  'proxy.try': { atOnce: 4, perMinute: 40 },
  'cluster.whoAmI': { atOnce: 4, perMinute: 40 },
  // A plugin may take minutes, and so may a person at a login: many wait at once.
  'cluster.renew': { atOnce: 40, perMinute: 40 },
  'account.login': { atOnce: 40, perMinute: 40 },
  // These ask all servers there are; a second click waits for the first.
  'doctor.run': { atOnce: 4, perMinute: 10 },
  'bundle.make': { atOnce: 4, perMinute: 10 },
  'desktop.checkForUpdate': { atOnce: 4, perMinute: 10 },
  'desktop.fetchUpdate': { atOnce: 4, perMinute: 10 },
};

/** Limits each of the calls in `limits` over all pages. */
export function limitCalls<Handlers extends Partial<UiHandlers>>(
  handlers: Handlers,
  limits: Partial<Record<keyof UiHandlers, AskingLimits>>,
  clock: Pick<Clock, 'boottime'>,
): Handlers {
  type Call = (input: unknown, context: unknown) => Promise<unknown>;
  const limited = Object.entries(limits).map(([name, of]) => {
    const limit = createAskingLimit(of, clock);
    const handler = handlers[name as keyof Handlers] as Call;
    return [name, (input: unknown, context: unknown) => limit(() => handler(input, context))];
  });
  return { ...handlers, ...(Object.fromEntries(limited) as Partial<Handlers>) };
}
