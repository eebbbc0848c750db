import { raceAbort } from '../base/abort.ts';
import { SingleFlight } from '../base/single-flight.ts';
import { BrokerError, toRefusal } from '../contract/broker-error.ts';
import type { Refusal } from '../contract/refusal.ts';
import { spanText } from '../contract/ui/time-texts.ts';
import { type BackoffShape, backoffMilliseconds } from '../domain/backoff.ts';
import type { Obtained } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder, RenewalReason } from '../ports/history.ts';
import type { Log } from '../ports/log.ts';
import { grantKey, type Source } from './source.ts';

/** A renewal normally ends well before this; then it counts as failed. */
const limitMilliseconds = 45_000;

/** Limit of the remembered failures of one account: a program may ask with ever new variables. */
const troubleLimit = 2_048;

/** Between attempts at a provider that fails. No program waits longer than that once it is back. */
const shape: BackoffShape = { first: 5_000, longest: 30_000 };

/** What a source gave. */
export interface Fetched {
  obtained: Obtained;
  /** Another credential than the cached one. */
  isNew: boolean;
  /** The account was logged in or out, changed or locked meanwhile: a failure says nothing about its state now. */
  isStale: boolean;
}

export interface RenewalsDeps {
  clock: Clock;
  log: Log;
  recorder: Recorder;
  ask(source: Source, why: RenewalReason, signal: AbortSignal): Promise<Fetched>;
  /** An account was asked, and gave a credential (also the same again) or failed. */
  onAsked?: ((account: string, isGood: boolean, milliseconds: number) => void) | undefined;
  /** From 0 up to 1. */
  random(): number;
}

interface Trouble {
  audience: string | null;
  failures: number;
  last: Refusal;
  /** On the boottime clock. */
  notBefore: number;
  /** The provider itself named the time (Retry-After). */
  told: boolean;
}

/**
 * The one place where credentials are renewed: one at a time per source (rule: single-flight), with backoff after
 * failures.
 */
export class Renewals {
  readonly #deps: RenewalsDeps;
  readonly #flights = new SingleFlight<Source, Obtained>();
  /** By account, then by `grantKey`. */
  readonly #troubles = new Map<string, Map<string, Trouble>>();
  /** The last refusal that only a login fixes. */
  readonly #needsPerson = new WeakMap<Source, string>();
  readonly #stop = new AbortController();
  /** Renewals that a lock left running: a plugin may be renewing a token of its own, and must not run twice at once. */
  readonly #left = new Map<string, Promise<void>>();

  constructor(deps: RenewalsDeps) {
    this.#deps = deps;
  }

  /** Joins the renewal under way, or starts one. Never rejects. */
  run(source: Source, why: RenewalReason): Promise<Obtained> {
    return this.#flights.run(source, async () => {
      await this.#left.get(leftKey(source));
      return this.#once(source, why);
    });
  }

  /** Milliseconds until the next attempt is due after failures; 0: now. */
  waitMilliseconds(source: Source): number {
    const last = Math.max(this.#troubleOf(source)?.notBefore ?? 0, this.#toldTrouble(source)?.notBefore ?? 0);
    return Math.max(0, last - this.#deps.clock.boottime());
  }

  /** Why not even a call of the user's may try now: the provider named the time. */
  restingBecause(source: Source): Refusal | null {
    const trouble = this.#toldTrouble(source);
    const seconds = Math.ceil(((trouble?.notBefore ?? 0) - this.#deps.clock.boottime()) / 1000);
    return trouble && seconds > 0
      ? { ...trouble.last, hint: `it asked to be left alone; try again in ${spanText(seconds * 1000)}` }
      : null;
  }

  /**
   * What the user should know while a credential is issued that could not be renewed (rule: issued-while-good); else
   * null.
   */
  troubleOf(accountName: string, audience: string | null): string | null {
    const troubles = [...(this.#troubles.get(accountName)?.values() ?? [])];
    return troubleText(troubles.findLast((each) => each.audience === audience));
  }

  /** How often in a row the account could not be renewed: the most of all its grants. */
  failuresOf(accountName: string): number {
    const troubles = [...(this.#troubles.get(accountName)?.values() ?? [])];
    return troubles.reduce((most, { failures }) => Math.max(most, failures), 0);
  }

  /** What keeps one grant from being renewed, by its `grantKey`. */
  troubleAt(accountName: string, key: string): string | null {
    return troubleText(this.#troubles.get(accountName)?.get(key));
  }

  /** The last failure while the next attempt isn't due, for a caller that has to wait for it; else null. */
  lastFailure(source: Source): Refusal | null {
    const seconds = Math.ceil(this.waitMilliseconds(source) / 1000);
    const last = this.#troubleOf(source)?.last;
    return last && seconds > 0
      ? {
          ...last,
          unasked: true,
          hint: `it failed just now, and is tried again in ${spanText(seconds * 1000)}; a new command at a terminal tries it at once`,
        }
      : null;
  }

  /** The network is back: what failed without one may be tried again. A wait that a provider asked for stays. */
  networkIsBack(): void {
    for (const troubles of this.#troubles.values()) {
      this.#isBack(troubles.values());
    }
  }

  forget(accountName: string): void {
    this.#troubles.delete(accountName);
  }

  /** Lanyard is locked. What runs now goes on; the next renewal of the same grant waits for its end. */
  forgetAll(): void {
    this.#troubles.clear();
    for (const [source, work] of this.#flights.underWay()) {
      const key = leftKey(source);
      const ended = work
        .catch(() => undefined)
        .then(() => void (this.#left.get(key) === ended && this.#left.delete(key)));
      this.#left.set(key, ended);
    }
  }

  /** Resolves when all renewals that run now have ended. `counts`: of these sources alone. */
  settled(counts?: (source: Source) => boolean): Promise<void> {
    return this.#flights.settled(counts);
  }

  stop(): void {
    this.#stop.abort(new Error('the agent stops'));
  }

  async #once(source: Source, why: RenewalReason): Promise<Obtained> {
    const { clock, log, recorder } = this.#deps;
    const limit = new AbortController();
    const timer = clock.after(source.account.renewalLimitMilliseconds ?? limitMilliseconds, () =>
      limit.abort(tookTooLong(source)),
    );
    const begun = clock.boottime();
    let obtained: Obtained;
    let isNew = false;
    let isStale = false;
    try {
      const signal = AbortSignal.any([limit.signal, this.#stop.signal]);
      // Raced: a source that ignores its signal must not block all who wait for it for ever.
      const asked = this.#deps.ask(source, why, signal);
      ({ obtained, isNew, isStale } = await raceAbort(asked, signal));
    } catch (error) {
      obtained = toRefusal(error);
      log.warn('grant.renewal.failed', { account: source.account.name, error });
    } finally {
      timer.dispose();
    }
    if (!isStale) {
      this.#note(source, obtained, begun);
    }
    const milliseconds = Math.round(clock.boottime() - begun);
    if (obtained.ok || !obtained.unasked) {
      this.#deps.onAsked?.(source.account.name, obtained.ok, milliseconds);
    }
    const outcome = obtained.ok ? (isNew ? 'renewed' : 'unchanged') : 'failed';
    if (this.#tellsSomething(source, obtained, outcome, why)) {
      recorder.record({
        kind: 'renewal',
        account: source.account.name,
        audience: source.audience,
        why,
        outcome,
        code: obtained.ok ? null : obtained.code,
        milliseconds,
      });
    }
    return obtained;
  }

  /** Not where no one was asked; an unchanged file, and a session that only the user can renew, are checked often. */
  #tellsSomething(source: Source, obtained: Obtained, outcome: string, why: RenewalReason): boolean {
    const code = obtained.ok || obtained.reason !== 'loginNeeded' ? null : obtained.code;
    const isRepeated = code !== null && this.#needsPerson.get(source) === code;
    if (code === null) {
      this.#needsPerson.delete(source);
    } else {
      this.#needsPerson.set(source, code);
    }
    return (
      !isRepeated && (obtained.ok || !obtained.unasked) && (outcome !== 'unchanged' || why === 'rejected')
    );
  }

  /** What failed may be tried again now, but where the provider named a time. */
  #isBack(troubles: Iterable<Trouble>): void {
    for (const trouble of troubles) {
      if (!trouble.told) {
        trouble.notBefore = 0;
      }
    }
  }

  #troubleOf(source: Source): Trouble | null {
    return this.#troubles.get(source.account.name)?.get(grantKey(source)) ?? null;
  }

  /** A time that the provider named applies to the whole account: the next audience asks the same provider. */
  #toldTrouble(source: Source): Trouble | null {
    const told = [...(this.#troubles.get(source.account.name)?.values() ?? [])].filter((each) => each.told);
    return told.reduce<Trouble | null>(
      (last, each) => (last && last.notBefore > each.notBefore ? last : each),
      null,
    );
  }

  #note(source: Source, obtained: Obtained, begun: number): void {
    if (!obtained.ok && obtained.reason === 'denied') {
      return; // the user's word, or that of a caller that has gone: it says nothing about the source
    }
    const { name } = source.account;
    const troubles = this.#troubles.get(name) ?? new Map<string, Trouble>();
    const key = grantKey(source);
    const isTransient =
      !obtained.ok &&
      ['provider', 'timedOut', 'internal'].includes(obtained.reason) &&
      !this.#stop.signal.aborted;
    if (!isTransient) {
      troubles.delete(key);
      if (troubles.size === 0) {
        this.#troubles.delete(name);
      }
      if (obtained.ok && source.account.shape === undefined) {
        this.#isBack(troubles.values());
      }
      return;
    }
    const now = this.#deps.clock.boottime();
    const known = troubles.get(key);
    const told = obtained.retryAfterSeconds;
    if (known && begun < known.notBefore && told === undefined) {
      // A try of the user’s, ahead of the next one: nobody waits longer for that.
      known.last = obtained;
      return;
    }
    const failures = (known?.failures ?? 0) + 1;
    const own = backoffMilliseconds(failures, source.account.backoff ?? shape, this.#deps.random);
    // The most recent one is last.
    troubles.delete(key);
    troubles.set(key, {
      audience: source.audience,
      failures,
      last: obtained,
      // Never earlier than the provider said; a little later, so that clients don't all come at that second.
      notBefore: now + (told === undefined ? own : told * 1000 + this.#deps.random() * Math.min(own, 5_000)),
      told: told !== undefined && told > 0,
    });
    this.#troubles.set(name, troubles);
    // A time that a provider named applies to others too.
    const [oldest] = [...troubles].find(([, trouble]) => !trouble.told) ?? [];
    if (troubles.size > troubleLimit && oldest !== undefined) {
      troubles.delete(oldest);
    }
  }
}

/** A source is another object after a lock. */
function leftKey(source: Source): string {
  return JSON.stringify([source.account.name, grantKey(source)]);
}

function troubleText(trouble: Trouble | undefined): string | null {
  return trouble ? `could not be renewed: ${trouble.last.message}` : null;
}

function tookTooLong({ account }: Source): BrokerError {
  const message = `the credential of ${account.name} could not be renewed in time`;
  return new BrokerError('grant.timeout', message, { reason: 'timedOut', hint: 'try again' });
}
