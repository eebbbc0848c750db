import { raceAbort } from '../base/abort.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Account, LoggedIn, LoginPrompter, Obtained } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { CachedGrants, GenerationReason } from './cached-grants.ts';
import { ClientAttempts } from './client-attempts.ts';
import { currentGrant, lostMeanwhile } from './current-grant.ts';
import { Grant } from './grant.ts';
import type { IssuedGrants } from './issued-grants.ts';
import type { Logins } from './logins.ts';
import type { Rejections } from './rejections.ts';
import type { Renewals } from './renewals.ts';
import type { Begun, Granted, GrantRequest } from './request.ts';
import type { Source } from './source.ts';
import { type WantedEnd, wantedMilliseconds } from './wanted-logins.ts';

/** How long a credential with life left waits for its renewal, at most; the renewal goes on in the background. */
const patienceMilliseconds = 5_000;

/** With less life than this, a credential may expire on its way to the cluster: the renewal is waited for. */
const usableMilliseconds = 1_000;

export interface ObtainingDeps {
  clock: Clock;
  log: Log;
  logins: Logins;
  cache: CachedGrants;
  renewals: Renewals;
  rejections: Rejections;
  issuedGrants: IssuedGrants;
}

/** From a request to a credential that is valid now: cached, renewed, or after a login. */
export class Obtaining {
  readonly #deps: ObtainingDeps;
  readonly #attempts = new ClientAttempts();
  /** The clients whose login has failed. */
  readonly #logins = new ClientAttempts();

  constructor(deps: ObtainingDeps) {
    this.#deps = deps;
  }

  async obtain(source: Source, request: Begun): Promise<Granted> {
    const held = await this.#current(source);
    if (!held.ok) {
      return held.reason === 'loginNeeded' ? this.#renewOrLogIn(source, request) : held;
    }
    const { grant } = held;
    if (!isKeptFor(grant, request)) {
      return this.#renewOrLogIn(source, request);
    }
    switch (grant.freshness(this.#deps.clock)) {
      case 'good':
        return this.#unlessRejected(source, grant, request);
      case 'renewDue':
        return this.#renewInTime(source, grant, request);
      case 'expired':
        return this.#renewOrLogIn(source, request);
    }
  }

  /** This client has this very credential already (rule: inferred-401). */
  async #unlessRejected(source: Source, grant: Grant, request: Begun): Promise<Granted> {
    const held: Granted = { ok: true, grant, how: 'held' };
    const { recipient, signal } = request;
    if (!recipient || !this.#deps.issuedGrants.isAgain(recipient.client, grant, this.#deps.clock.now())) {
      return held;
    }
    const looking = this.#deps.rejections.suspect(source, recipient, grant);
    if (!looking) {
      return held;
    }
    const refusal = await this.#attended(source, request, () => raceAbort(looking, signal));
    if (refusal) {
      return refusal;
    }
    const now = await this.#current(source);
    if (now.ok && now.grant.freshness(this.#deps.clock) !== 'expired') {
      return { ...now, how: now.grant === grant ? 'held' : 'renewed' };
    }
    // It has expired or was removed while the cluster was probed.
    return this.obtain(source, { ...request, recipient: null });
  }

  /**
   * Less than its margin is left: renews first, but issues it nevertheless where that fails
   * (rule: issued-while-good).
   */
  async #renewInTime(source: Source, held: Grant, request: Begun): Promise<Granted> {
    if (this.#deps.renewals.waitMilliseconds(source) > 0) {
      return { ok: true, grant: held, how: 'held' };
    }
    const { clock, log } = this.#deps;
    const { name } = source.account;
    const patience = new AbortController();
    const timer = clock.after(patienceFor(held.remaining(clock)), () =>
      patience.abort(new Error('patience')),
    );
    let why: Refusal | null = null;
    // There is life left: the user needn't answer a question for it.
    const quiet = request.attendant && { ...request.attendant, interactive: false };
    try {
      const renewed = await this.#attended(source, { ...request, attendant: quiet }, () =>
        raceAbort(this.#deps.renewals.run(source, 'due'), AbortSignal.any([patience.signal, request.signal])),
      );
      if (renewed.ok) {
        return this.#fresh(source, renewed, 'renewed');
      }
      why = renewed;
      log.warn('grant.notRenewed', { account: name, code: renewed.code });
    } catch {
      request.signal.throwIfAborted();
      log.warn('grant.notRenewed', { account: name, code: 'grant.patience' });
    } finally {
      timer.dispose();
    }
    if (held.freshness(clock) === 'expired') {
      // A renewal that is only slow is waited for; a failure that only a login fixes may begin one.
      return why && why.reason !== 'loginNeeded' ? why : this.#renewOrLogIn(source, request);
    }
    // Time has passed: a logout in between has removed it.
    const still = await this.#current(source);
    return still.ok ? { ...still, how: 'held' } : (why ?? still);
  }

  async #renewOrLogIn(source: Source, request: Begun): Promise<Granted> {
    const { account } = source;
    let why = this.#deps.renewals.restingBecause(source) ?? this.#mayNotTry(source, request);
    if (!why) {
      // Also while a login is under way: the user may take long over it, or never finish it.
      const renewed = await this.#attended(source, request, () =>
        raceAbort(this.#deps.renewals.run(source, 'needed'), request.signal),
      );
      if (renewed.ok) {
        this.#attempts.succeeded(source);
        return this.#fresh(source, renewed, 'renewed');
      }
      this.#attempts.failed(source, request.asking?.client);
      if (renewed.reason === 'loginNeeded' && this.#deps.cache.epoch(account.name) !== request.epoch) {
        return this.#afterChange(source, renewed, request);
      }
      why = renewed;
    }
    if (!account.login || (why.reason !== 'loginNeeded' && !this.#deps.logins.running(account.name))) {
      return why;
    }
    const refusal = await this.#logIn(source, why, request);
    return refusal ?? this.#afterLogin(source, request);
  }

  /** Waits as a caller that lends its terminal to a plugin, where the account is one. */
  async #attended<Value>(source: Source, request: GrantRequest, wait: () => Promise<Value>): Promise<Value> {
    const { account } = source;
    request.onWait(account.attend ? 'plugin' : 'renewal');
    const leave = request.attendant && account.attend?.(request.attendant);
    try {
      return await wait();
    } finally {
      leave?.();
    }
  }

  /**
   * A call of the user's tries a failing provider or plugin immediately, as the user may just have fixed the network,
   * but only once; a repeated call, or one without the user, waits for the next attempt, however many there are.
   */
  #mayNotTry(source: Source, { asking }: GrantRequest): Refusal | null {
    if (!asking) {
      return null;
    }
    const isOwnCall = asking.caller.hasTerminal && !this.#attempts.hasTried(source, asking.client);
    return isOwnCall ? null : this.#deps.renewals.lastFailure(source);
  }

  /**
   * The user has logged in, logged out or changed the account while its renewal was waited for. A new session also
   * serves those who waited; no page opens for a session that the user has just ended (rule: no-storms).
   */
  async #afterChange(source: Source, why: Refusal, request: Begun): Promise<Granted> {
    const held = await source.account.current();
    return held?.ok ? this.#afterLogin(source, request) : why;
  }

  /** Joins a login that began meanwhile, begins one, or waits for one where the user is told; null: it is done. */
  async #logIn(source: Source, why: Refusal, request: GrantRequest): Promise<Refusal | null> {
    const { logins, clock } = this.#deps;
    const { account } = source;
    const client = request.requester ?? null;
    const since = clock.boottime();
    const viewer = viewerOf(account, request);
    // Another command of the user’s is asked again, at its own terminal: no page opens for that.
    const mayAskAgain =
      account.asksAtTerminal && viewer && client !== null && !this.#logins.hasTried(source, client);
    const resting = mayAskAgain ? null : logins.restingBecause(account.name);
    const begun =
      logins.running(account.name) ?? (viewer && resting === null ? logins.login(account, viewer) : null);
    const wanted = begun || resting !== null ? null : await this.#want(account, request);
    if (wanted?.kind === 'refused') {
      return wanted.refusal;
    }
    const outcome = begun ?? wanted?.done;
    if (!outcome) {
      const because = account.asksAtTerminal ? why.message : (resting ?? why.message);
      const hint = `run: lanyard login ${account.name}`;
      return refuse('loginNeeded', why.code, `${account.name} needs a login (${because})`, hint);
    }
    const isSeen = viewer !== null;
    request.onWait(isSeen ? 'login' : 'pending');
    const done = await (isSeen
      ? raceAbort(outcome, request.signal)
      : this.#unseen(account, outcome, request, since));
    if (done.ok) {
      this.#logins.succeeded(source);
      return null;
    }
    this.#logins.failed(source, client);
    return done;
  }

  /** A login that is shown elsewhere: this caller can't help with it, and waits no longer than for one to begin. */
  async #unseen(
    { name }: Account,
    outcome: Promise<LoggedIn>,
    { signal }: GrantRequest,
    since: number,
  ): Promise<LoggedIn> {
    const { clock } = this.#deps;
    const limit = Promise.withResolvers<LoggedIn>();
    const left = Math.max(0, since + wantedMilliseconds - clock.boottime());
    const timer = clock.after(left, () => limit.resolve(stillPending(name)));
    try {
      return await raceAbort(Promise.race([outcome, limit.promise]), signal);
    } finally {
      timer.dispose();
    }
  }

  /**
   * No one would see a login: the user is told, and the login is waited for (rule: no-storms). Null: the user isn't
   * told.
   */
  async #want({ name }: Account, { wantedBy, onWait, signal }: GrantRequest): Promise<WantedEnd | null> {
    const { wanted } = this.#deps.logins;
    if (!wantedBy || !wanted.canWait(name)) {
      return null;
    }
    onWait('wanted');
    return wanted.wait(name, wantedBy(), signal);
  }

  async #afterLogin(source: Source, request: GrantRequest): Promise<Granted> {
    const { account, audience } = source;
    if (audience !== null) {
      const exchanged = await raceAbort(this.#deps.renewals.run(source, 'needed'), request.signal);
      return exchanged.ok ? this.#fresh(source, exchanged, 'loggedIn') : exchanged;
    }
    const held = await account.current();
    if (held?.ok) {
      return this.#fresh(source, held, 'loggedIn');
    }
    return held ?? lostMeanwhile(account);
  }

  /** The current credential after `obtained` came: a logout or a change in between has removed it. */
  async #fresh(
    source: Source,
    obtained: Obtained & { ok: true },
    how: 'renewed' | 'loggedIn',
  ): Promise<Granted> {
    const { clock } = this.#deps;
    const { name, isPassedOn } = source.account;
    const uncached = new Grant(obtained.credential, 0, clock);
    const now = isPassedOn
      ? ({ ok: true, grant: uncached } as const)
      : await this.#current(source, how === 'loggedIn' ? how : 'needed');
    if (now.ok && now.grant.freshness(clock) !== 'expired') {
      return { ...now, how };
    }
    return uncached.freshness(clock) === 'expired'
      ? refuse(
          'provider',
          'grant.expiredAtBirth',
          `the provider of ${name} gave a credential that has already ended`,
          'is this machine’s clock right?',
        )
      : lostMeanwhile(source.account);
  }

  #current(source: Source, why?: GenerationReason) {
    return currentGrant(this.#deps.cache, source, why);
  }
}

/** How long a caller waits for a renewal while the credential has life left: never until it expires. */
function patienceFor(remaining: number): number {
  return remaining < 2 * usableMilliseconds
    ? patienceMilliseconds
    : Math.min(patienceMilliseconds, remaining / 2);
}

/** KEP-541: a credential without an expiry is kept for the life of the client that got it. */
function isKeptFor({ credential }: Grant, { asking }: GrantRequest): boolean {
  const onlyFor = credential.noExpiry?.onlyFor ?? null;
  return onlyFor === null || (asking?.client != null && onlyFor.includes(asking.client));
}

/** Who sees a login that begins now; null: no one does, and the account doesn't allow that. */
function viewerOf(account: Account, { prompter, wish, signal }: GrantRequest) {
  if (prompter) {
    return { prompter, wish, signal };
  }
  // A browser page without a terminal only where the account allows it (rule: no-storms); no one would see a device
  // code.
  return account.loginWithoutTerminal === true && wish.atThisMachine
    ? { prompter: silentPrompter, wish: { ...wish, flow: 'browser' as const }, signal }
    : null;
}

function stillPending(account: string): Refusal {
  return refuse(
    'loginNeeded',
    'login.pending',
    `${account} needs a login, and the one that is under way elsewhere has not ended within ${wantedMilliseconds / 60_000} minutes`,
    'finish that login, then try again',
  );
}

const silentPrompter: LoginPrompter = {
  showBrowserPage: () => undefined,
  showDeviceCode: () => undefined,
};
