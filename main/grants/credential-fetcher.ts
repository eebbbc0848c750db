import { raceAbort } from '../base/abort.ts';
import { toRefusal } from '../contract/broker-error.ts';
import { refuse } from '../contract/refusal.ts';
import type { Account, Obtained } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { RenewalReason } from '../ports/history.ts';
import type { CachedGrants } from './cached-grants.ts';
import { currentGrant, lostMeanwhile } from './current-grant.ts';
import type { Fetched } from './renewals.ts';
import type { Source, Sources } from './source.ts';

export interface CredentialFetcherDeps {
  clock: Clock;
  cache: CachedGrants;
  sources: Sources;
  /** Joins the renewal of another source, or starts it. */
  renew(source: Source, why: RenewalReason): Promise<Obtained>;
}

/** Fetches a new credential of an account, for itself or for an audience, and caches it. */
export class CredentialFetcher {
  readonly #deps: CredentialFetcherDeps;

  constructor(deps: CredentialFetcherDeps) {
    this.#deps = deps;
  }

  /** One renewal: its result is cached before any caller gets it. */
  async fetch(source: Source, why: RenewalReason, signal: AbortSignal): Promise<Fetched> {
    const { account, audience } = source;
    const before = this.#deps.cache.get(source);
    const epoch = this.#deps.cache.epoch(account.name);
    const obtained =
      audience === null || account.givesAudience
        ? await account.renew(signal)
        : await this.#exchange(account, audience, signal);
    const isStale = this.#deps.cache.epoch(account.name) !== epoch;
    if (!obtained.ok) {
      return { obtained, isNew: false, isStale };
    }
    if (isStale) {
      // Only the current credential matters.
      return {
        obtained: (audience === null ? await account.current() : null) ?? lostMeanwhile(account),
        isNew: true,
        isStale,
      };
    }
    if (account.isPassedOn) {
      return { obtained, isNew: false, isStale };
    }
    const grant = this.#deps.cache.keep(source, obtained.credential, why);
    return { obtained, isNew: grant !== before, isStale };
  }

  /** A token for `audience` (RFC 8693), from the account's own, which is renewed first where that is due. */
  async #exchange(account: Account, audience: string, signal: AbortSignal): Promise<Obtained> {
    if (!account.exchange) {
      return refuse(
        'notPermitted',
        'grant.noExchange',
        `${account.name} is no OpenID account: its credential can’t be exchanged for the audience ${audience}`,
      );
    }
    const base = this.#deps.sources.of(account, null);
    const held = await currentGrant(this.#deps.cache, base);
    let subject = held.ok ? held.grant : null;
    if (subject?.freshness(this.#deps.clock) !== 'good') {
      const renewed = await raceAbort(this.#deps.renew(base, 'needed'), signal).catch(toRefusal);
      const fresh = renewed.ok ? this.#deps.cache.keep(base, renewed.credential, 'needed') : null;
      subject = fresh ?? (subject?.freshness(this.#deps.clock) === 'expired' ? null : subject);
      if (!subject) {
        return renewed;
      }
    }
    return account.exchange(subject.credential, audience, signal);
  }
}
