import { cachePlace, isExpired, isSweepDue } from '../../domain/image/cache-rules.ts';
import type { ProviderResponse } from '../../domain/image/provider-response.ts';
import type { Pull } from './pull.ts';

/** An answer of a plugin, and until when it is valid; milliseconds since 1970. */
export interface KeptAnswer {
  response: ProviderResponse;
  issuedAt: number;
  expiresAt: number;
}

interface OfAccount {
  /** By the kubelet’s keys: image, registry or all. The oldest is first. */
  readonly answers: Map<string, KeptAnswer>;
  lastSweep: number;
}

/** Limit of the answers of one account: a pod may ask for ever new images. */
const answerLimit = 2_048;

/** The answers of provider plugins, cached as a kubelet does (KEP-2133/caching), in memory alone. A lock and a logout forget them. */
export class ProviderAnswers {
  #byAccount = new Map<string, OfAccount>();

  /** The same object until the account’s answers are forgotten: an answer that comes later isn’t kept. */
  of(account: string, now: number): OfAccount {
    const known = this.#byAccount.get(account) ?? { answers: new Map(), lastSweep: now };
    this.#byAccount.set(account, known);
    return known;
  }

  /** The cached answer for a pull; null: none. */
  find(account: string, { tried }: Pull, now: number): KeptAnswer | null {
    const of = this.of(account, now);
    if (isSweepDue(of.lastSweep, now)) {
      of.lastSweep = now;
      for (const [key, kept] of of.answers) {
        if (isExpired(kept, now)) {
          of.answers.delete(key);
        }
      }
    }
    const found = tried.map((key) => of.answers.get(key));
    return found.find((kept) => kept && !isExpired(kept, now)) ?? null;
  }

  /** Keeps the answer of a run that began with `of`; null: it may not be kept. */
  keep(
    account: string,
    of: OfAccount,
    { image, serviceAccount }: Pull,
    response: ProviderResponse,
    times: { now: number; defaultCacheMilliseconds: number },
  ): KeptAnswer | null {
    const { now } = times;
    const place = cachePlace(image, serviceAccount, response, times);
    if (place === null || place.expiresAt <= now) {
      return null;
    }
    const kept = { response, issuedAt: now, expiresAt: place.expiresAt };
    if (this.#byAccount.get(account) === of) {
      of.answers.delete(place.key);
      of.answers.set(place.key, kept);
      const [oldest] = of.answers.keys();
      if (of.answers.size > answerLimit && oldest !== undefined) {
        of.answers.delete(oldest);
      }
    }
    return kept;
  }

  forget(account: string): void {
    this.#byAccount.delete(account);
  }

  forgetAll(): void {
    this.#byAccount = new Map();
  }
}
