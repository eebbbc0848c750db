import { aheadText } from '../../../contract/ui/time-texts.ts';
import type { AnswerSeen } from '../../../platform/network/bounded-fetch.ts';
import type { Clock } from '../../../ports/clock.ts';

/** A difference that matters: what comes of rounding, of a slow answer and of drift stays below it. */
const toleratedMilliseconds = 60_000;

/**
 * Compares this machine's clock with that of the provider, by the `Date` of its answers (RFC 9110, 6.6.1); where they
 * have none (Keycloak), by the `iat` of the id tokens in them.
 */
export interface ClockCheck {
  saw(answer: AnswerSeen): void;
  /** The last answer contained an id token. */
  sawToken(token: TokenSeen): void;
  /** Seconds that this machine's clock is before (+) or behind (−) the provider's; null: it isn't, or unknown. */
  offSeconds(): number | null;
  /** `this machine’s clock is 7 min ahead of id.example.com’s`; null where it isn't off. */
  sentence(host: string): string | null;
}

/** An id token that was issued for the request that it came with. */
export interface TokenSeen {
  /** Milliseconds since 1970. */
  issuedAt: number;
  tookMilliseconds: number;
}

export function createClockCheck(
  clock: Pick<Clock, 'now' | 'boottime'>,
  /** What a GET brings counts, too: it was asked past all caches. */
  { pastCaches = false }: { pastCaches?: boolean } = {},
): ClockCheck {
  let last: { off: number; tolerated: number; now: number; boottime: number } | null = null;
  /** The last POST's answer said its date. */
  let isDated = false;

  const note = (told: number, tookMilliseconds: number) => {
    last = {
      off: clock.now() - told,
      tolerated: toleratedMilliseconds + tookMilliseconds,
      now: clock.now(),
      boottime: clock.boottime(),
    };
  };

  const offSeconds = () => {
    if (!last) {
      return null;
    }
    // A clock that is set meanwhile takes the difference with it.
    const set = clock.now() - last.now - (clock.boottime() - last.boottime);
    const off = last.off + set;
    return Math.abs(off) > last.tolerated ? Math.round(off / 1000) : null;
  };
  return {
    saw({ method, date, age, tookMilliseconds }) {
      const told = Date.parse(date ?? '');
      if (method === 'POST') {
        isDated = !Number.isNaN(told);
      }
      // What a GET brings may come from a cache that keeps the date of its first answer.
      if ((method === 'POST' || pastCaches) && age === undefined && !Number.isNaN(told)) {
        note(told, tookMilliseconds);
      }
    },
    sawToken({ issuedAt, tookMilliseconds }) {
      if (!isDated) {
        note(issuedAt, tookMilliseconds);
      }
    },
    offSeconds,
    sentence: (host) => {
      const seconds = offSeconds();
      return seconds === null ? null : `this machine’s clock is ${aheadText(seconds * 1000)} ${host}’s`;
    },
  };
}
