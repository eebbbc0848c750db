import { raceAbort } from '../base/abort.ts';
import type { Disposable } from '../base/disposables.ts';
import { toRefusal } from '../contract/broker-error.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type {
  Account,
  Asking,
  Attendant,
  Credential,
  LoginPrompter,
  LoginWish,
  Obtained,
} from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { ClusterProbe } from '../ports/cluster-probe.ts';
import type { LoadedCluster } from '../ports/config-store.ts';
import type { Recorder, RenewalReason } from '../ports/history.ts';
import type { Log } from '../ports/log.ts';
import type { SystemEvents } from '../ports/system-events.ts';
import { Deliveries } from './deliveries.ts';
import { Grant } from './grant.ts';
import { type ComeBy, HeldGrants } from './held-grants.ts';
import type { Logins } from './logins.ts';
import { OwnTries } from './own-tries.ts';
import { Rejections } from './rejections.ts';
import { type Asked, Renewals } from './renewals.ts';
import { RenewalsAhead } from './renewals-ahead.ts';
import { type Source, Sources } from './source.ts';

/** A credential with life left waits no longer than this for its renewal; the renewal goes on behind it. */
const patienceMilliseconds = 5_000;

/** With less life than this a credential may end on its way to the cluster: the renewal is waited for. */
const usableMilliseconds = 1_000;

/** How long a stop waits for renewals under way. */
const stopMilliseconds = 5_000;

export interface GrantRequest {
  /** The cluster's own audience; null: it takes the account's credential as it is. */
  audience: string | null;
  /** Who gets it, and where it will be shown: what an inferred 401 goes by (rule 5). Null: nobody can tell. */
  delivery: { client: string; cluster: LoadedCluster } | null;
  /** What may shape the credential; not there: nothing that an account whose credentials are shaped could serve. */
  asking?: Asking | undefined;
  /** The caller as one who may run a plugin, and sees what it says. */
  attendant?: Attendant | undefined;
  /** Somebody is at the caller's terminal: a login may be begun, and be shown there. */
  prompter: LoginPrompter | null;
  wish: LoginWish;
  /** Called where the answer takes longer: the caller tells its helper to wait. */
  onWait(reason: 'renewal' | 'plugin' | 'login'): void;
  signal: AbortSignal;
}

/** A request under way, and how the account was when it came: see HeldGrants.epoch. */
type Begun = GrantRequest & { epoch: number };

export type Granted = { ok: true; grant: Grant; how: 'held' | 'renewed' | 'loggedIn' } | Refusal;

export interface GrantsDeps {
  clock: Clock;
  log: Log;
  logins: Logins;
  recorder: Recorder;
  probe: ClusterProbe;
  events: SystemEvents;
  /** The doors are open: nothing is renewed ahead of need while they aren't. */
  isOpen(): boolean;
  /** From 0 up to 1; Math.random unless told otherwise. */
  random?(): number;
}

/** The credentials held now, a grant for each account and audience, renewed by rules 1, 4 and 5. */
export class Grants implements Disposable {
  readonly #deps: GrantsDeps;
  readonly #sources = new Sources();
  readonly #held: HeldGrants;
  readonly #renewals: Renewals;
  readonly #ahead: RenewalsAhead;
  readonly #deliveries = new Deliveries();
  readonly #rejections: Rejections;
  readonly #tries = new OwnTries();

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
    const { clock, log, recorder } = deps;
    const random = deps.random ?? Math.random;
    const held = (source: Source) => this.#held.get(source);
    this.#held = new HeldGrants({ clock, recorder });
    this.#renewals = new Renewals({
      clock,
      log,
      recorder,
      random,
      ask: (source, why, signal) => this.#ask(source, why, signal),
    });
    this.#ahead = new RenewalsAhead({
      clock,
      events: deps.events,
      renewals: this.#renewals,
      held,
      isOpen: deps.isOpen,
      random,
    });
    this.#rejections = new Rejections({
      clock,
      recorder,
      probe: deps.probe,
      renew: (source) => this.#renewals.run(source, 'rejected'),
      held,
      isResting: (source) => this.#renewals.waitMilliseconds(source) > 0,
    });
  }

  /** A credential that is good now, or why there is none. Never one that has ended (E04). */
  async obtain(account: Account, request: GrantRequest): Promise<Granted> {
    // Waited for only where the caller has something to say: else all counts as it was when the request came.
    const served = account.shapedBy
      ? await shaped(account, request.asking)
      : ({ ok: true, account } as const);
    if (!served.ok) {
      return served;
    }
    const source = this.#sources.of(served.account, request.audience);
    const epoch = this.#held.epoch(account.name);
    const granted = await this.#obtain(source, { ...request, epoch });
    if (granted.ok) {
      // The source of now: a login may have come in between.
      const now = this.#sources.of(served.account, request.audience);
      if (renewsAhead(served.account, granted.grant)) {
        this.#ahead.used(now, granted.grant);
      }
      if (request.delivery) {
        const { clock } = this.#deps;
        const toldEnd = granted.grant.expirationForClient(clock);
        this.#deliveries.note(request.delivery.client, granted.grant, toldEnd);
      }
    }
    return granted;
  }

  /**
   * The credential held for a cluster, renewed where it has ended, to look at that cluster with it (`lanyard doctor`).
   * Begins no login and runs no plugin, counts as no use: nothing is renewed ahead of need for it.
   */
  async peek(
    account: Account,
    { name, config }: Pick<LoadedCluster, 'name' | 'config'>,
    signal: AbortSignal,
  ): Promise<Obtained> {
    if (account.shapedBy) {
      const grant = this.#held.findFor(account.name, name, this.#deps.clock);
      return grant
        ? { ok: true, credential: grant.credential }
        : refuse(
            'loginNeeded',
            'grant.none',
            `${account.name} holds no credential: its plugin runs when one is asked for`,
          );
    }
    const audience = config.audience ?? null;
    const source = this.#sources.of(account, audience);
    const held = await this.#current(source);
    if (held.ok && held.grant.freshness(this.#deps.clock) !== 'expired') {
      return { ok: true, credential: held.grant.credential };
    }
    if (!held.ok && held.reason !== 'loginNeeded') {
      return held;
    }
    return this.#renewals.restingBecause(source) ?? raceAbort(this.#renewals.run(source, 'needed'), signal);
  }

  /** Somebody has logged in: what was held or learned before is another session's. */
  loggedIn(accountName: string): void {
    this.#forget(accountName, 'loggedIn');
  }

  /** Forgets what is held in memory for the account: it was logged out, changed or removed. */
  forget(accountName: string): void {
    this.#forget(accountName, 'found');
  }

  #forget(accountName: string, next: ComeBy): void {
    this.#sources.forget(accountName);
    this.#held.forget(accountName, next);
    this.#renewals.forget(accountName);
    this.#ahead.forget(accountName);
    this.#rejections.forget(accountName);
  }

  forgetAll(): void {
    this.#sources.forgetAll();
    this.#held.forgetAll();
    this.#renewals.forgetAll();
    this.#ahead.forgetAll();
    this.#rejections.forgetAll();
  }

  /** What a person should know while a credential is handed out that could not be renewed (rule 4); else null. */
  troubleOf(accountName: string, audience: string | null = null): string | null {
    return this.#renewals.troubleOf(accountName, audience);
  }

  /** When what is held for a cluster's own audience ends; milliseconds since 1970; null: no end, or nothing held. */
  endFor(accountName: string, audience: string): number | null {
    return this.#held.find(accountName, audience)?.credential.expiresAt ?? null;
  }

  /** What is held for the account now and is still good; `cluster`: the one that it was made for, where that shapes it. */
  heldFor(accountName: string): { cluster: string | null; credential: Credential }[] {
    return this.#held
      .all(accountName)
      .flatMap(({ cluster, grant }) =>
        grant.freshness(this.#deps.clock) === 'expired' ? [] : [{ cluster, credential: grant.credential }],
      );
  }

  /** The same with what has ended, and that no other one has taken the place of. */
  heldOrEndedFor(accountName: string): { cluster: string | null; credential: Credential }[] {
    return this.#held
      .all(accountName)
      .map(({ cluster, grant }) => ({ cluster, credential: grant.credential }));
  }

  /** The cluster rejects credentials that are fresh (rule 5): since when, in milliseconds since 1970; else null. */
  rejectingSince(clusterName: string): number | null {
    return this.#rejections.rejectingSince(clusterName);
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
    this.#ahead.dispose();
    await this.drain(stopMilliseconds);
    this.#renewals.stop();
  }

  async #obtain(source: Source, request: Begun): Promise<Granted> {
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

  /** What is held, without asking anybody. */
  async #current(source: Source, why?: ComeBy): Promise<{ ok: true; grant: Grant } | Refusal> {
    const { account, audience } = source;
    const base = await account.held();
    if (base && !base.ok) {
      return base;
    }
    if (audience === null && account.keepsNothing) {
      const grant = this.#held.get(source);
      return grant
        ? { ok: true, grant }
        : refuse('loginNeeded', 'grant.none', `${account.name} holds no credential`);
    }
    if (audience !== null) {
      // An exchanged token lives on without the account's own; a logout has taken both away.
      const grant = this.#held.get(source);
      return grant
        ? { ok: true, grant }
        : refuse('loginNeeded', 'grant.none', `${account.name} holds no credential for ${audience}`);
    }
    return base
      ? { ok: true, grant: this.#held.keep(source, base.credential, why) }
      : refuse('loginNeeded', 'grant.none', `${account.name} holds no credential`);
  }

  /** Rule 5: this client has this very credential already. */
  async #unlessRejected(source: Source, grant: Grant, request: Begun): Promise<Granted> {
    const held: Granted = { ok: true, grant, how: 'held' };
    const { delivery, signal } = request;
    if (!delivery || !this.#deliveries.isAgain(delivery.client, grant, this.#deps.clock.now())) {
      return held;
    }
    const refusal = await this.#attended(source, request, () =>
      raceAbort(this.#rejections.suspect(source, delivery.cluster, grant), signal),
    );
    if (refusal) {
      return refusal;
    }
    const now = await this.#current(source);
    if (now.ok && now.grant.freshness(this.#deps.clock) !== 'expired') {
      return { ...now, how: now.grant === grant ? 'held' : 'renewed' };
    }
    // It has ended, or was taken away, while the cluster was asked.
    return this.#obtain(source, { ...request, delivery: null });
  }

  /** Less than its margin is left: renew first, but hand it out all the same where that can't be done (rule 4). */
  async #renewInTime(source: Source, held: Grant, request: Begun): Promise<Granted> {
    if (this.#renewals.waitMilliseconds(source) > 0) {
      return { ok: true, grant: held, how: 'held' };
    }
    const { clock, log } = this.#deps;
    const { name } = source.account;
    const patience = new AbortController();
    const timer = clock.after(patienceFor(held.remaining(clock)), () =>
      patience.abort(new Error('patience')),
    );
    let why: Refusal | null = null;
    // There is life left: nobody has to answer a question for it.
    const quiet = request.attendant && { ...request.attendant, interactive: false };
    try {
      const renewed = await this.#attended(source, { ...request, attendant: quiet }, () =>
        raceAbort(this.#renewals.run(source, 'due'), AbortSignal.any([patience.signal, request.signal])),
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
      // What only is slow is waited for further; what only a login mends may begin one.
      return why && why.reason !== 'loginNeeded' ? why : this.#renewOrLogIn(source, request);
    }
    // Time has passed: a logout in between has taken it away.
    const still = await this.#current(source);
    return still.ok ? { ...still, how: 'held' } : (why ?? still);
  }

  async #renewOrLogIn(source: Source, request: Begun): Promise<Granted> {
    const { account } = source;
    let why = this.#renewals.restingBecause(source) ?? this.#mayNotTry(source, request);
    if (!why) {
      // Also while a login is under way: a person may take long over it, or never end it.
      const renewed = await this.#attended(source, request, () =>
        raceAbort(this.#renewals.run(source, 'needed'), request.signal),
      );
      if (renewed.ok) {
        this.#tries.succeeded(source);
        return this.#fresh(source, renewed, 'renewed');
      }
      this.#tries.failed(source, request.asking?.client);
      if (renewed.reason === 'loginNeeded' && this.#held.epoch(account.name) !== request.epoch) {
        return this.#afterChange(source, renewed, request);
      }
      why = renewed;
    }
    if (!account.login || (why.reason !== 'loginNeeded' && !this.#deps.logins.running(account.name))) {
      return why;
    }
    const refusal = await this.#logIn(account, why, request);
    return refusal ?? this.#afterLogin(source, request);
  }

  /** Waits as one who lends its terminal to a plugin, where the account is one. */
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

  /** A plugin that fails is tried for a person's own call at once, and once; who asks again, or without a person, waits. */
  #mayNotTry(source: Source, { asking }: GrantRequest): Refusal | null {
    if (!source.account.attend || !asking) {
      return null;
    }
    const isOwnCall = asking.caller.hasTerminal && !this.#tries.hasHad(source, asking.client);
    return isOwnCall ? null : this.#renewals.lastFailure(source);
  }

  /**
   * Somebody has logged in, logged out or changed the account while its renewal was waited for. A new session is
   * good for those who waited, too; no page opens for what a person has just ended (rule 2).
   */
  async #afterChange(source: Source, why: Refusal, request: Begun): Promise<Granted> {
    const held = await source.account.held();
    return held?.ok ? this.#afterLogin(source, request) : why;
  }

  /** Joins a login that began meanwhile, or begins one where somebody is there; null when it was done. */
  async #logIn(account: Account, why: Refusal, request: GrantRequest): Promise<Refusal | null> {
    const { logins } = this.#deps;
    const resting = logins.restingBecause(account.name);
    const viewer = viewerOf(account, request);
    const outcome =
      logins.running(account.name) ?? (viewer && resting === null ? logins.login(account, viewer) : null);
    if (!outcome) {
      const because = resting ?? why.message;
      const hint = `run: lanyard login ${account.name}`;
      return refuse('loginNeeded', why.code, `${account.name} needs a login (${because})`, hint);
    }
    request.onWait('login');
    const done = await raceAbort(outcome, request.signal);
    return done.ok ? null : done;
  }

  async #afterLogin(source: Source, request: GrantRequest): Promise<Granted> {
    const { account, audience } = source;
    if (audience !== null) {
      const exchanged = await raceAbort(this.#renewals.run(source, 'needed'), request.signal);
      return exchanged.ok ? this.#fresh(source, exchanged, 'loggedIn') : exchanged;
    }
    const held = await account.held();
    if (held?.ok) {
      return this.#fresh(source, held, 'loggedIn');
    }
    return (
      held ?? refuse('loginNeeded', 'grant.lost', `the login of ${account.name} was taken back meanwhile`)
    );
  }

  /** What is held now that `obtained` came: a logout or a change in between has taken it away again. */
  async #fresh(
    source: Source,
    obtained: Obtained & { ok: true },
    how: 'renewed' | 'loggedIn',
  ): Promise<Granted> {
    const { clock } = this.#deps;
    const now = await this.#current(source, how === 'loggedIn' ? how : 'needed');
    if (now.ok && now.grant.freshness(clock) !== 'expired') {
      return { ...now, how };
    }
    const { name } = source.account;
    return new Grant(obtained.credential, 0, clock).freshness(clock) === 'expired'
      ? refuse(
          'provider',
          'grant.expiredAtBirth',
          `the provider of ${name} gave a credential that has already ended`,
          'is this machine’s clock right?',
        )
      : refuse('loginNeeded', 'grant.lost', `the login of ${name} was taken back meanwhile`);
  }

  /** One renewal: what it brings is held before anybody is told. */
  async #ask(source: Source, why: RenewalReason, signal: AbortSignal): Promise<Asked> {
    const { account, audience } = source;
    const before = this.#held.get(source);
    const epoch = this.#held.epoch(account.name);
    const obtained =
      audience === null ? await account.renew(signal) : await this.#exchange(account, audience, signal);
    const isStale = this.#held.epoch(account.name) !== epoch;
    if (!obtained.ok) {
      return { obtained, isNew: false, isStale };
    }
    if (isStale) {
      // A login, a logout, a change or a lock came in between: what counts is what is held now.
      const lost = refuse(
        'loginNeeded',
        'grant.lost',
        `the login of ${account.name} changed meanwhile`,
        'try again',
      );
      return { obtained: (audience === null ? await account.held() : null) ?? lost, isNew: true, isStale };
    }
    const grant = this.#held.keep(source, obtained.credential, why);
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
    const base = this.#sources.of(account, null);
    const held = await this.#current(base);
    let subject = held.ok ? held.grant : null;
    if (subject?.freshness(this.#deps.clock) !== 'good') {
      const renewed = await raceAbort(this.#renewals.run(base, 'needed'), signal).catch(toRefusal);
      const fresh = renewed.ok ? this.#held.keep(base, renewed.credential, 'needed') : null;
      subject = fresh ?? (subject?.freshness(this.#deps.clock) === 'expired' ? null : subject);
      if (!subject) {
        return renewed;
      }
    }
    return account.exchange(subject.credential, audience, signal);
  }
}

/** How long a caller waits for a renewal while the credential has so much life left: never so long that it ends. */
function patienceFor(remaining: number): number {
  return remaining < 2 * usableMilliseconds
    ? patienceMilliseconds
    : Math.min(patienceMilliseconds, remaining / 2);
}

/** The account as it serves a request; one whose credentials are shaped serves none that tells nothing. */
async function shaped(
  account: Account,
  asking: Asking | undefined,
): Promise<{ ok: true; account: Account } | Refusal> {
  return asking && account.shapedBy
    ? account.shapedBy(asking)
    : refuse('internal', 'grant.unshaped', `what ${account.name} gives depends on who asks, and nobody said`);
}

/** Nobody is there to run a plugin for, or what it gave is for a client that keeps it. */
function renewsAhead(account: Account, { credential }: Grant): boolean {
  return account.renewsAhead !== false && (credential.unpromised?.onlyFor ?? null) === null;
}

/** KEP-541: without an end a credential is kept for the life of the client that got it. */
function isKeptFor({ credential }: Grant, { asking }: GrantRequest): boolean {
  const onlyFor = credential.unpromised?.onlyFor ?? null;
  return onlyFor === null || (asking?.client != null && onlyFor.includes(asking.client));
}

/** Who sees a login that begins now; null: nobody does, and nobody has allowed that. */
function viewerOf(account: Account, { prompter, wish, signal }: GrantRequest) {
  if (prompter) {
    return { prompter, wish, signal };
  }
  // Rule 2: a browser page without a terminal only where the account allows it; a device code would be seen by nobody.
  return account.loginWithoutTerminal === true && wish.atThisMachine
    ? { prompter: silentPrompter, wish: { ...wish, flow: 'browser' as const }, signal }
    : null;
}

const silentPrompter: LoginPrompter = {
  showBrowserPage: () => undefined,
  showDeviceCode: () => undefined,
};
