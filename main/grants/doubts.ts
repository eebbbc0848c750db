import { doubled } from '../domain/backoff.ts';
import type { Clock } from '../ports/clock.ts';
import { grantKey, type Source } from './source.ts';

/** Wait between renewals of one source that only its clients' word is a reason for: doubled each time. */
const rest = { first: 60_000, longest: 3_600_000 };

/** Limit of the remembered sources. */
const sourceLimit = 4096;

/**
 * Renewals for a 401 that only a client has seen, while the cluster itself takes the credential: a proxy or a webhook
 * may reject a single path. Where renewing doesn't help, the client soon comes back for the next one too.
 */
export class Doubts {
  readonly #clock: Pick<Clock, 'boottime'>;
  readonly #bySource = new Map<string, { times: number; next: number }>();

  constructor(clock: Pick<Clock, 'boottime'>) {
    this.#clock = clock;
  }

  mayRenew(source: Source): boolean {
    return this.#clock.boottime() >= (this.#bySource.get(keyFor(source))?.next ?? 0);
  }

  renewing(source: Source): void {
    const now = this.#clock.boottime();
    const key = keyFor(source);
    const last = this.#bySource.get(key) ?? { times: 0, next: now };
    // No client came back for longer than the next wait would be: the last renewal helped.
    const times = now - last.next > doubled(rest, last.times + 1) ? 1 : last.times + 1;
    this.#bySource.delete(key);
    this.#bySource.set(key, { times, next: now + doubled(rest, times) });
    const [oldest] = this.#bySource.keys();
    if (this.#bySource.size > sourceLimit && oldest !== undefined) {
      this.#bySource.delete(oldest);
    }
  }
}

function keyFor(source: Source): string {
  return JSON.stringify([source.account.name, grantKey(source)]);
}
