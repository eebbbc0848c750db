import { raceAbort } from '../base/abort.ts';
import { SingleFlight } from '../base/single-flight.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Account, LoginPrompter, LoginWish, Obtained } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { Grant } from './grant.ts';
import type { Logins } from './logins.ts';

/** A credential with life left waits no longer than this for its renewal; the renewal goes on behind it. */
const patienceMilliseconds = 5_000;

/** A renewal ends by itself well before this; then it counts as failed. */
const renewalLimitMilliseconds = 45_000;

/** How long a stop waits for renewals under way. */
const stopMilliseconds = 5_000;

export interface GrantRequest {
  /** Somebody is at the caller's terminal: a login may be begun, and its code be shown there. */
  prompter: LoginPrompter | null;
  wish: LoginWish;
  /** Called once where the answer takes longer: the caller tells its helper to wait. */
  onWait(reason: 'renewal' | 'login'): void;
  signal: AbortSignal;
}

export type Granted = { ok: true; grant: Grant; how: 'held' | 'renewed' | 'loggedIn' } | Refusal;

export interface GrantsDeps {
  clock: Clock;
  log: Log;
  logins: Logins;
}

/** The credentials held now, one grant an account, renewed by rules 1 and 4. */
export class Grants {
  readonly #deps: GrantsDeps;
  readonly #held = new Map<string, Grant>();
  /** By the account as it is configured: who asks after a change must not get what the old one's file or login gave. */
  readonly #renewals = new SingleFlight<Account, Obtained>();
  /** Why the last renewal brought nothing, while the provider is the reason. */
  readonly #troubles = new Map<string, string>();
  readonly #stop = new AbortController();

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  /** A credential that is good now, or why there is none. Never one that has ended (E04). */
  async obtain(account: Account, request: GrantRequest): Promise<Granted> {
    const held = await this.#current(account);
    if (held.ok) {
      const freshness = held.grant.freshness(this.#deps.clock);
      if (freshness === 'good') {
        return { ...held, how: 'held' };
      }
      if (freshness === 'renewDue') {
        return this.#renewInTime(account, held.grant, request);
      }
    } else if (held.reason !== 'loginNeeded') {
      return held;
    }
    return this.#renewOrLogIn(account, request);
  }

  /** Forgets what is held in memory for the account: it was logged out, changed or removed. */
  forget(accountName: string): void {
    this.#held.delete(accountName);
    this.#troubles.delete(accountName);
  }

  /** What a person should know while a credential is handed out that could not be renewed (rule 4); else null. */
  troubleOf(accountName: string): string | null {
    return this.#troubles.get(accountName) ?? null;
  }

  forgetAll(): void {
    this.#held.clear();
    this.#troubles.clear();
  }

  /** Waits for the renewals under way (a lock and a stop drain them), at most `milliseconds`. */
  async drain(milliseconds: number): Promise<void> {
    const limit = new AbortController();
    const timer = this.#deps.clock.after(milliseconds, () => limit.abort(new Error('drained long enough')));
    await raceAbort(this.#renewals.settled(), limit.signal).catch(() => undefined);
    timer.dispose();
  }

  /** Lets the renewals under way end, so that no answer of a provider is lost, but not for long. */
  async dispose(): Promise<void> {
    await this.drain(stopMilliseconds);
    this.#stop.abort(new Error('the broker stops'));
  }

  async #current(account: Account): Promise<{ ok: true; grant: Grant } | Refusal> {
    const held = await account.held();
    if (!held) {
      return refuse('loginNeeded', 'grant.none', `${account.name} holds no credential`);
    }
    return held.ok ? { ok: true, grant: this.#keep(account.name, held.credential) } : held;
  }

  #keep(name: string, credential: Grant['credential']): Grant {
    const before = this.#held.get(name);
    if (before?.holds(credential)) {
      return before;
    }
    const grant = new Grant(credential, (before?.generation ?? 0) + 1, this.#deps.clock);
    this.#held.set(name, grant);
    return grant;
  }

  /** Less than its margin is left: renew first, but hand it out all the same where that can't be done (rule 4). */
  async #renewInTime(account: Account, held: Grant, request: GrantRequest): Promise<Granted> {
    const patience = new AbortController();
    const timer = this.#deps.clock.after(patienceMilliseconds, () => patience.abort(new Error('patience')));
    request.onWait('renewal');
    let why: Refusal | null = null;
    try {
      const renewed = await raceAbort(
        this.#renew(account),
        AbortSignal.any([patience.signal, request.signal]),
      );
      if (renewed.ok) {
        return { ok: true, grant: this.#keep(account.name, renewed.credential), how: 'renewed' };
      }
      why = renewed;
      this.#deps.log.warn('grant.notRenewed', { account: account.name, code: renewed.code });
    } catch (error) {
      request.signal.throwIfAborted();
      this.#deps.log.warn('grant.notRenewed', { account: account.name, error });
    } finally {
      timer.dispose();
    }
    if (held.freshness(this.#deps.clock) === 'expired') {
      return (
        why ??
        refuse('provider', 'grant.ended', `the credential of ${account.name} ended while it was renewed`)
      );
    }
    // Time has passed: a logout in between has taken it away.
    const still = await this.#current(account);
    return still.ok ? { ...still, how: 'held' } : (why ?? still);
  }

  async #renewOrLogIn(account: Account, request: GrantRequest): Promise<Granted> {
    const running = this.#deps.logins.running(account.name);
    if (!running) {
      request.onWait('renewal');
      const renewed = await raceAbort(this.#renew(account), request.signal);
      if (renewed.ok) {
        return this.#fresh(account, renewed, 'renewed');
      }
      if (renewed.reason !== 'loginNeeded' || !account.login) {
        return renewed;
      }
      const refusal = await this.#logIn(account, renewed, request);
      return refusal ?? this.#afterLogin(account);
    }
    request.onWait('login');
    const outcome = await raceAbort(running, request.signal);
    return outcome.ok ? this.#afterLogin(account) : outcome;
  }

  /** Joins a login that began meanwhile, or begins one where somebody is there; null when it was done. */
  async #logIn(account: Account, why: Refusal, request: GrantRequest): Promise<Refusal | null> {
    const { logins } = this.#deps;
    const resting = logins.restingBecause(account.name);
    const outcome =
      logins.running(account.name) ??
      (request.prompter && resting === null
        ? logins.login(account, { prompter: request.prompter, wish: request.wish, signal: request.signal })
        : null);
    if (!outcome) {
      const because = resting === null ? why.message : `the last login ended with: ${resting}`;
      const hint = `run: lanyard login ${account.name}`;
      return refuse('loginNeeded', why.code, `${account.name} needs a login (${because})`, hint);
    }
    request.onWait('login');
    const done = await raceAbort(outcome, request.signal);
    return done.ok ? null : done;
  }

  async #afterLogin(account: Account): Promise<Granted> {
    const held = await account.held();
    return held?.ok
      ? this.#fresh(account, held, 'loggedIn')
      : (held ??
          refuse('loginNeeded', 'grant.lost', `the login of ${account.name} was taken back meanwhile`));
  }

  #fresh(account: Account, obtained: Obtained & { ok: true }, how: 'renewed' | 'loggedIn'): Granted {
    const grant = this.#keep(account.name, obtained.credential);
    return grant.freshness(this.#deps.clock) === 'expired'
      ? refuse(
          'provider',
          'grant.expiredAtBirth',
          `the provider of ${account.name} gave a credential that has already ended`,
          'is this machine’s clock right?',
        )
      : { ok: true, grant, how };
  }

  #renew(account: Account): Promise<Obtained> {
    return this.#renewals.run(account, async () => {
      const limit = new AbortController();
      const timer = this.#deps.clock.after(renewalLimitMilliseconds, () =>
        limit.abort(new Error('the renewal took too long')),
      );
      try {
        const renewed = await account.renew(AbortSignal.any([limit.signal, this.#stop.signal]));
        this.#noteTrouble(account.name, renewed);
        return renewed;
      } finally {
        timer.dispose();
      }
    });
  }

  #noteTrouble(accountName: string, renewed: Obtained): void {
    if (!renewed.ok && renewed.reason === 'provider') {
      this.#troubles.set(accountName, `could not be renewed: ${renewed.message}`);
    } else {
      this.#troubles.delete(accountName);
    }
  }
}
