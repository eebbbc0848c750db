import { raceAbort } from '../base/abort.ts';
import type { Disposable } from '../base/disposables.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Target, TargetName } from '../domain/target/target.ts';
import type { Account, Credential, CredentialRequest, Obtained, Shape } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder } from '../ports/history.ts';
import type { Log } from '../ports/log.ts';
import type { SystemEvents } from '../ports/system-events.ts';
import type { TargetProbe, Verdict } from '../ports/target-probe.ts';
import { CachedGrants, type GenerationReason } from './cached-grants.ts';
import { CredentialFetcher } from './credential-fetcher.ts';
import { currentGrant } from './current-grant.ts';
import type { Grant } from './grant.ts';
import { IssuedGrants } from './issued-grants.ts';
import type { Logins } from './logins.ts';
import { Obtaining } from './obtaining.ts';
import { ownAsking } from './own-request.ts';
import type { KnownRejecting } from './rejecting-clusters.ts';
import { Rejections } from './rejections.ts';
import { Renewals } from './renewals.ts';
import { RenewalsAhead } from './renewals-ahead.ts';
import type { Granted, GrantRequest } from './request.ts';
import { grantKey, keyOf, type Source, Sources } from './source.ts';

/** A click renews so many grants at most, each by a run of the plugin. */
const renewedAtOnce = 8;

/** How long a stop waits for renewals under way. */
const stopMilliseconds = 5_000;

export interface GrantsDeps {
  clock: Clock;
  log: Log;
  logins: Logins;
  recorder: Recorder;
  probe: TargetProbe;
  /** A target and its account as they may be used now; null: unknown, or not approved. */
  usable(target: TargetName): { account: Account; target: Target } | null;
  events: SystemEvents;
  /** The doors are open: else nothing is renewed ahead of need. */
  isOpen(): boolean;
  /** An account’s credentials are forgotten, or those of all (null): what it cached itself has to go, too. */
  onForgotten?(account: string | null): void;
  /** An account was asked for a credential, and gave one or failed. */
  onAsked?(account: string, isGood: boolean, milliseconds: number): void;
  /** From 0 up to 1; default: Math.random. */
  random?(): number;
}

/** One cached credential. */
export interface CachedCredential {
  account: string;
  audience: string | null;
  /** The target that it was made for, where that shapes it; null: it is for any. */
  target: TargetName | null;
  credential: Credential;
  generation: number;
  /** Something besides the audience shaped it. */
  isShaped: boolean;
  /** When it will be renewed automatically, in milliseconds since 1970; null: it won't be. */
  renewsAt: number | null;
  /** Why it could not be renewed; null: nothing failed. */
  trouble: string | null;
}

/** What became of one grant at the user’s click. */
export interface RenewedGrant {
  /** Names of the caller’s variables that shaped it. */
  variables: readonly string[];
  obtained: Obtained;
}

/**
 * The cached credentials, a grant for each account and audience, renewed in time
 * (rule: single-flight, issued-while-good, inferred-401).
 */
export class Grants implements Disposable {
  readonly #deps: GrantsDeps;
  readonly #sources = new Sources();
  readonly #cache: CachedGrants;
  readonly #renewals: Renewals;
  readonly #ahead: RenewalsAhead;
  readonly #issuedGrants = new IssuedGrants();
  readonly #rejections: Rejections;
  readonly #obtaining: Obtaining;
  /** Accounts whose credentials requests shape, by name. */
  readonly #shaping = new Map<string, Account>();
  /** Answer those who wait for a credential. */
  readonly #waiting = new Set<(refusal: Refusal) => void>();

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
    const { clock, log, recorder } = deps;
    const random = deps.random ?? Math.random;
    const held = (source: Source) => this.#cache.get(source);
    this.#cache = new CachedGrants({
      clock,
      recorder,
      onNew: (accountName) => this.#rejections.renewed(accountName),
    });
    const fetcher = new CredentialFetcher({
      clock,
      cache: this.#cache,
      sources: this.#sources,
      renew: (source, why) => this.#renewals.run(source, why),
    });
    this.#renewals = new Renewals({
      clock,
      log,
      recorder,
      random,
      ask: (source, why, signal) => fetcher.fetch(source, why, signal),
      onAsked: deps.onAsked?.bind(deps),
    });
    this.#ahead = new RenewalsAhead({
      clock,
      events: deps.events,
      renewals: this.#renewals,
      cached: held,
      isOpen: deps.isOpen,
      random,
    });
    this.#rejections = new Rejections({
      clock,
      recorder,
      probe: deps.probe,
      renew: (source) => this.#renewals.run(source, 'rejected'),
      cached: held,
      currentFor: (target) => this.#currentFor(target),
      isResting: (source) => this.#renewals.waitMilliseconds(source) > 0,
    });
    this.#obtaining = new Obtaining({
      clock,
      log,
      logins: deps.logins,
      cache: this.#cache,
      renewals: this.#renewals,
      rejections: this.#rejections,
      issuedGrants: this.#issuedGrants,
    });
  }

  /** A credential that is valid now, or why there is none. Never an expired one (KEP-541/valid-or-error). */
  obtain(account: Account, request: GrantRequest): Promise<Granted> {
    const { promise, resolve, reject } = Promise.withResolvers<Granted>();
    this.#waiting.add(resolve);
    this.#obtain(account, request, () => this.#waiting.has(resolve))
      .then(resolve, reject)
      .finally(() => this.#waiting.delete(resolve));
    return promise;
  }

  async #obtain(account: Account, request: GrantRequest, isWaiting: () => boolean): Promise<Granted> {
    // Waits only where the caller reports something: else the state at the request's arrival applies.
    const served = account.shapedBy
      ? await this.#served(account, request.asking)
      : ({ ok: true, account } as const);
    if (!served.ok) {
      return served;
    }
    const { audience } = request.target;
    const source = this.#sources.of(served.account, audience);
    const epoch = this.#cache.epoch(account.name);
    const granted = await this.#obtaining.obtain(source, { ...request, epoch });
    if (granted.ok && isWaiting()) {
      // The source as it is now: a login may have come in between.
      const now = this.#sources.of(served.account, audience);
      this.#cache.used(now);
      if (renewsAhead(served.account, granted.grant)) {
        this.#ahead.used(now, granted.grant);
      }
      if (request.recipient && !served.account.isPassedOn) {
        const { clock } = this.#deps;
        const toldExpiry = granted.grant.expirationForClient(clock);
        const { client, target } = request.recipient;
        if (!this.#issuedGrants.has(client, granted.grant)) {
          this.#rejections.issued(now, target, granted.grant, client);
        }
        this.#issuedGrants.note(client, granted.grant, toldExpiry);
      }
    }
    return granted;
  }

  /**
   * The credential cached for a cluster, renewed where it has expired, to check that cluster with it (`lanyard
   * doctor`). Begins no login, runs no plugin, and doesn't count as use: nothing is renewed ahead of need for it.
   */
  async peek(account: Account, target: Target, signal: AbortSignal): Promise<Obtained> {
    if (account.shapedBy) {
      const grant = this.#cache.findFor(account.name, target, this.#deps.clock);
      return grant
        ? { ok: true, credential: grant.credential }
        : refuse(
            'loginNeeded',
            'grant.none',
            `${account.name} holds no credential: it gets one when a program asks for it`,
          );
    }
    const source = this.#sources.of(account, target.audience);
    const held = await currentGrant(this.#cache, source);
    if (held.ok && held.grant.freshness(this.#deps.clock) !== 'expired') {
      return { ok: true, credential: held.grant.credential };
    }
    if (!held.ok && held.reason !== 'loginNeeded') {
      return held;
    }
    return this.#renewals.restingBecause(source) ?? raceAbort(this.#renewals.run(source, 'needed'), signal);
  }

  /** The credential cached for a cluster, even if expired: asks no one, renews nothing, and doesn't count as use. */
  async look(account: Account, target: Target): Promise<Obtained> {
    if (account.shapedBy) {
      return this.peek(account, target, new AbortController().signal);
    }
    const held = await currentGrant(this.#cache, this.#sources.of(account, target.audience));
    return held.ok ? { ok: true, credential: held.grant.credential } : held;
  }

  /** The user has logged in: what was cached or learned before belongs to another session. */
  loggedIn(accountName: string): void {
    this.#forget(accountName, 'loggedIn');
  }

  /** Forgets the account's cached credentials: it was logged out, changed or removed. */
  forget(accountName: string): void {
    this.#forget(accountName, 'found');
  }

  #forget(accountName: string, next: GenerationReason): void {
    this.#deps.onForgotten?.(accountName);
    this.#shaping.get(accountName)?.forgetShapes?.();
    this.#shaping.delete(accountName);
    this.#sources.forget(accountName);
    this.#cache.forget(accountName, next);
    this.#renewals.forget(accountName);
    this.#ahead.forget(accountName);
    this.#rejections.forget(accountName);
  }

  forgetAll(): void {
    this.#deps.onForgotten?.(null);
    for (const account of this.#shaping.values()) {
      account.forgetShapes?.();
    }
    this.#shaping.clear();
    this.#sources.forgetAll();
    this.#cache.forgetAll();
    this.#renewals.forgetAll();
    this.#ahead.forgetAll();
  }

  /**
   * What the user should know while a credential is issued that could not be renewed (rule: issued-while-good); else
   * null.
   */
  troubleOf(accountName: string, audience: string | null = null): string | null {
    return this.#renewals.troubleOf(accountName, audience);
  }

  /** How often in a row the account's provider or plugin failed; 0: the last attempt succeeded. */
  failuresOf(accountName: string): number {
    return this.#renewals.failuresOf(accountName);
  }

  /**
   * Expiry of the credential cached for a cluster's own audience, in milliseconds since 1970; null: never, or none is
   * cached.
   */
  expiryFor(accountName: string, audience: string): number | null {
    return this.#cache.find(accountName, audience)?.credential.expiresAt ?? null;
  }

  /** Whether a credential for that audience, or the account's own, is cached and still valid. */
  hasValid(accountName: string, audience: string | null): boolean {
    const grant = this.#cache.find(accountName, audience);
    return grant !== null && grant.freshness(this.#deps.clock) !== 'expired';
  }

  /**
   * The account's cached credential that is still valid; `target`: the one that it was made for, where that shapes
   * it. `variables`: names of the caller’s that shaped it.
   */
  cachedFor(
    accountName: string,
  ): { target: TargetName | null; credential: Credential; variables: readonly string[] }[] {
    return this.#cache
      .all(accountName)
      .flatMap(({ target, grant, variables }) =>
        grant.freshness(this.#deps.clock) === 'expired'
          ? []
          : [{ target, credential: grant.credential, variables: namesOf(variables) }],
      );
  }

  /** The same, including an expired one that was not replaced. */
  cachedOrExpiredFor(accountName: string): { target: TargetName | null; credential: Credential }[] {
    return this.#cache
      .all(accountName)
      .map(({ target, grant }) => ({ target, credential: grant.credential }));
  }

  /** All cached credentials, including expired ones that were not replaced: when and how they are renewed. */
  overview(): CachedCredential[] {
    const planned = new Map<string, number>();
    for (const [source, at] of this.#ahead.planned()) {
      planned.set(`${source.account.name} ${grantKey(source)}`, at);
    }
    return [...this.#cache.everything()].map(({ account, key, audience, target, grant }) => ({
      account,
      audience,
      target,
      credential: grant.credential,
      generation: grant.generation,
      isShaped: key !== keyOf(audience, null),
      renewsAt: planned.get(`${account} ${key}`) ?? null,
      trouble: this.#renewals.troubleAt(account, key),
    }));
  }

  /**
   * Renews what a request of Lanyard’s own is issued for a target now, without the user and without any caller’s
   * variables.
   */
  async renewNow(account: Account, target: Target, signal: AbortSignal): Promise<Obtained> {
    const served = await this.#served(account, ownAsking(target));
    return served.ok ? this.#renew(this.#sources.of(served.account, target.audience), signal) : served;
  }

  /**
   * At the user’s click: renews what callers use for a target now, each grant with the variables of its last caller, as
   * a request of that caller would. A plugin that was never run has nothing to renew.
   */
  async renewInUse(
    account: Account,
    target: Target,
    signal: AbortSignal,
  ): Promise<{ ok: true; renewed: readonly RenewedGrant[] } | Refusal> {
    if (!account.shapedBy) {
      return {
        ok: true,
        renewed: [{ variables: [], obtained: await this.renewNow(account, target, signal) }],
      };
    }
    const sources = new Map<Source, Promise<RenewedGrant>>();
    for (const { variables } of this.#cache.inUseFor(account.name, target).slice(0, renewedAtOnce)) {
      const told = Object.fromEntries(variables.map(([name, value]) => [name, value.reveal()]));
      const terminal = { environment: async () => told };
      // By the account and the cluster as they are approved now.
      const served = await this.#served(account, { ...ownAsking(target), terminal });
      if (!served.ok) {
        return served;
      }
      const source = this.#sources.of(served.account, target.audience);
      const names = namesOf(served.account.shape?.variables ?? []);
      const renewing =
        sources.get(source) ??
        this.#renew(source, signal).then((obtained) => ({ variables: names, obtained }));
      sources.set(source, renewing);
    }
    return sources.size > 0
      ? { ok: true, renewed: await Promise.all(sources.values()) }
      : refuse(
          'notFound',
          'grant.none',
          `${account.name} holds nothing for ${target.name}: it gets a credential when a program asks for one`,
          'ask with kubectl once',
        );
  }

  async #renew(source: Source, signal: AbortSignal): Promise<Obtained> {
    return this.#renewals.restingBecause(source) ?? raceAbort(this.#renewals.run(source, 'due'), signal);
  }

  /** The account as it serves a request; a shaped account needs a request that says what shapes it. */
  async #served(
    account: Account,
    asking: CredentialRequest | undefined,
  ): Promise<{ ok: true; account: Account } | Refusal> {
    if (!account.shapedBy) {
      return { ok: true, account };
    }
    if (!asking) {
      return refuse(
        'internal',
        'grant.unshaped',
        `what ${account.name} returns depends on the caller, and no caller was given`,
      );
    }
    this.#shaping.set(account.name, account);
    return account.shapedBy(asking);
  }

  /** With which variables callers use a target now: the names of each grant’s, the one that was issued last first. */
  variablesInUse(accountName: string, target: TargetName): readonly (readonly string[])[] {
    return this.#cache.inUseFor(accountName, target).map(({ variables }) => namesOf(variables));
  }

  /**
   * Since when the cluster rejects credentials with 401 (rule: inferred-401), in milliseconds since 1970; null: it
   * doesn't.
   */
  rejectingSince(target: TargetName): number | null {
    return this.#rejections.rejectingSince(target);
  }

  /** A check has sent a cluster its cached credential; the result is ignored if that is no longer cached. */
  async saw(target: TargetName, credential: Credential, verdict: Verdict): Promise<void> {
    const held = await this.#currentFor(target);
    if (held?.grant.holds(credential)) {
      this.#rejections.saw(held.source, target, held.grant, verdict);
    }
  }

  /** Which clusters counted as rejecting when the last broker ended. */
  restoreRejecting(known: Iterable<KnownRejecting>): void {
    this.#rejections.restore(known);
  }

  /** What would be issued for a cluster now, without asking anyone. */
  async #currentFor(name: TargetName): Promise<{ source: Source; target: Target; grant: Grant } | null> {
    const usable = this.#deps.isOpen() ? this.#deps.usable(name) : null;
    if (!usable) {
      return null;
    }
    const { account, target } = usable;
    const source = this.#sources.of(account, target.audience);
    if (account.shapedBy) {
      const grant = this.#cache.findFor(account.name, target, this.#deps.clock);
      return grant && { source, target, grant };
    }
    const held = await currentGrant(this.#cache, source);
    return held.ok ? { source, target, grant: held.grant } : null;
  }

  /** All who wait for a credential are refused: what is under way goes on, and its answer is dropped. */
  lock(refusal: Refusal): void {
    for (const answer of this.#waiting) {
      answer(refusal);
    }
    this.#waiting.clear();
  }

  /** Waits for the renewals under way whose answer the vault keeps, at most `milliseconds`. */
  drain(milliseconds: number): Promise<void> {
    return this.#settled(milliseconds, ({ account }) => account.keepsNothing !== true);
  }

  async #settled(milliseconds: number, counts?: (source: Source) => boolean): Promise<void> {
    const limit = new AbortController();
    const timer = this.#deps.clock.after(milliseconds, () => limit.abort(new Error('waited long enough')));
    await raceAbort(this.#renewals.settled(counts), limit.signal).catch(() => undefined);
    timer.dispose();
  }

  /** Lets the renewals under way end for a short time, so that no answer of a provider is lost. */
  async dispose(): Promise<void> {
    this.#ahead.dispose();
    this.#rejections.stop();
    await this.#settled(stopMilliseconds);
    this.#renewals.stop();
  }
}

function namesOf(variables: NonNullable<Shape['variables']>): string[] {
  return variables.map(([name]) => name);
}

/** There is no caller to run a plugin for, or its result is for a client that keeps it. */
function renewsAhead(account: Account, { credential }: Grant): boolean {
  return account.renewsAhead !== false && (credential.noExpiry?.onlyFor ?? null) === null;
}
