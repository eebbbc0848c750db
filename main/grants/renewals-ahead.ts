import type { Disposable } from '../base/disposables.ts';
import type { Clock } from '../ports/clock.ts';
import type { SystemEvents } from '../ports/system-events.ts';
import type { Grant } from './grant.ts';
import type { Renewals } from './renewals.ts';
import { inUseMilliseconds } from './rules/expiry.ts';
import type { Source } from './source.ts';

/** It is renewed this many margins before its expiry, between the two: before any caller has to wait for it. */
const lead = { least: 1.2, most: 2 };

/** A certificate is renewed at the start of its margin, the last 1% of its life: KEP-541's objective. */
const certificateLead = { least: 0.9, most: 1 };

/** After a wake or a new network, all are checked within this time, each at another moment. */
const spreadMilliseconds = 5_000;

/** A timer that is so late has slept: where timers go on meanwhile, all fire at the wake. */
const lateMilliseconds = 20_000;

/**
 * After the notice that the machine is about to sleep, nothing begins for this time, or until it woke: sleep breaks
 * off what is under way, and a refresh token may be used up without an answer. A sleep that doesn't come, and one
 * with a short break to fetch mail, end only by this time; timers stand still meanwhile.
 */
const restMilliseconds = 60_000;

/** No timer is set further ahead: timers stop while the machine sleeps. */
const longestTimer = 3_600_000;

/** So many grants of one account that callers’ variables shaped: a program may ask with ever new values. */
const byVariablesLimit = 16;

/** A plugin starts a program: this many run at a time without a caller, and the others try again soon. */
const plugins = { atOnce: 4, waitMilliseconds: 1_000 };

export interface RenewalsAheadDeps {
  clock: Clock;
  events: SystemEvents;
  renewals: Pick<Renewals, 'run' | 'waitMilliseconds' | 'networkIsBack'>;
  cached(source: Source): Grant | null;
  /** Nothing is renewed while the doors are closed. */
  isOpen(): boolean;
  /** From 0 up to 1. */
  random(): number;
}

interface Watched {
  source: Source;
  /** When it was last issued; boottime clock. */
  usedAt: number;
  /** From 0 up to 1: the position between the bounds of `lead`; another one for each generation. */
  chance: number;
  timer: Disposable | null;
}

/** Renews grants in use before any caller has to wait for it (rule: issued-while-good). */
export class RenewalsAhead implements Disposable {
  readonly #deps: RenewalsAheadDeps;
  readonly #watched = new Map<Source, Watched>();
  readonly #subscriptions: Disposable[];
  /** Plugin runs under way. */
  #running = 0;
  /** Not null: the machine is about to sleep, or sleeps. */
  #rest: Disposable | null = null;
  #disposed = false;

  constructor(deps: RenewalsAheadDeps) {
    this.#deps = deps;
    this.#subscriptions = [
      deps.events.onSleep(() => this.#fallAsleep()),
      deps.events.onWake(() => this.#wake()),
      deps.events.onNetwork(() => {
        deps.renewals.networkIsBack();
        this.#lookSoon();
      }),
    ];
  }

  /** The source's grant was issued. */
  used(source: Source, grant: Grant): void {
    const known = this.#watched.get(source);
    if (known) {
      known.usedAt = this.#deps.clock.boottime();
      // The one that was used last is last.
      this.#watched.delete(source);
      this.#watched.set(source, known);
      return;
    }
    if (grant.credential.expiresAt === null || this.#disposed) {
      return;
    }
    const watched: Watched = {
      source,
      usedAt: this.#deps.clock.boottime(),
      chance: this.#deps.random(),
      timer: null,
    };
    this.#watched.set(source, watched);
    this.#schedule(watched);
    this.#dropOldestByVariables(source);
  }

  #dropOldestByVariables({ account }: Source): void {
    const isAlike = ({ source }: Watched) =>
      source.account.name === account.name && (source.account.shape?.variables?.length ?? 0) > 0;
    const alike = [...this.#watched.values()].filter(isAlike);
    const [oldest] = alike;
    if (alike.length > byVariablesLimit && oldest) {
      this.#drop(oldest);
    }
  }

  /**
   * When each source's grant will be renewed automatically, in milliseconds since 1970: the same value until
   * something changes. Absent: it was not used recently, so it won't be.
   */
  planned(): ReadonlyMap<Source, number> {
    const planned = new Map<Source, number>();
    const { clock, renewals } = this.#deps;
    for (const watched of this.#watched.values()) {
      const grant = this.#deps.cached(watched.source);
      const end = grant?.credential.expiresAt ?? null;
      if (!grant || end === null) {
        continue;
      }
      const remaining = grant.remaining(clock);
      const lead = leadOf(watched, grant);
      const staysInUse = this.#staysInUse(watched, grant);
      const waits = renewals.waitMilliseconds(watched.source);
      if (Math.max(remaining - lead, waits) > staysInUse) {
        continue;
      }
      // Rounded to seconds: a backoff is counted from now, and would otherwise give another value with each reading.
      const at = waits > Math.max(0, remaining - lead) ? clock.now() + waits : end - lead;
      planned.set(watched.source, Math.round(at / 1000) * 1000);
    }
    return planned;
  }

  forget(accountName: string): void {
    for (const watched of this.#watched.values()) {
      if (watched.source.account.name === accountName) {
        this.#drop(watched);
      }
    }
  }

  forgetAll(): void {
    for (const watched of this.#watched.values()) {
      this.#drop(watched);
    }
  }

  dispose(): void {
    this.#disposed = true;
    void this.#rest?.dispose();
    this.forgetAll();
    for (const subscription of this.#subscriptions) {
      void subscription.dispose();
    }
  }

  /** For how many milliseconds it still counts as in use. */
  #staysInUse({ usedAt }: Watched, grant: Grant | null): number {
    return inUseMilliseconds(grant?.wholeLife ?? 0) - (this.#deps.clock.boottime() - usedAt);
  }

  #isDue(watched: Watched, grant: Grant): boolean {
    return grant.remaining(this.#deps.clock) <= leadOf(watched, grant);
  }

  #drop(watched: Watched): void {
    void watched.timer?.dispose();
    this.#watched.delete(watched.source);
  }

  #fallAsleep(): void {
    void this.#rest?.dispose();
    this.#rest = this.#deps.clock.after(restMilliseconds, () => this.#wake());
  }

  #wake(): void {
    void this.#rest?.dispose();
    this.#rest = null;
    this.#lookSoon();
  }

  #lookSoon(): void {
    for (const watched of this.#watched.values()) {
      this.#setTimer(watched, this.#deps.random() * spreadMilliseconds);
    }
  }

  #schedule(watched: Watched): void {
    const grant = this.#deps.cached(watched.source);
    if (!grant || grant.credential.expiresAt === null) {
      this.#drop(watched);
      return;
    }
    const due = grant.remaining(this.#deps.clock) - leadOf(watched, grant);
    this.#setTimer(watched, Math.max(0, due, this.#deps.renewals.waitMilliseconds(watched.source)));
  }

  #setTimer(watched: Watched, milliseconds: number): void {
    void watched.timer?.dispose();
    const { clock, random } = this.#deps;
    const wait = Math.min(milliseconds, longestTimer);
    const dueAt = clock.boottime() + wait;
    watched.timer = clock.after(wait, () => {
      watched.timer = null;
      if (clock.boottime() - dueAt > lateMilliseconds) {
        this.#setTimer(watched, random() * spreadMilliseconds);
      } else {
        void this.#look(watched);
      }
    });
  }

  async #look(watched: Watched): Promise<void> {
    const { random, renewals } = this.#deps;
    const { source } = watched;
    if (this.#rest) {
      // All are checked when it is over.
      return;
    }
    const grant = this.#deps.cached(source);
    if (!grant || this.#staysInUse(watched, grant) < 0 || !this.#deps.isOpen()) {
      this.#drop(watched);
      return;
    }
    if (this.#isDue(watched, grant) && renewals.waitMilliseconds(source) === 0) {
      if (source.account.attend && this.#running >= plugins.atOnce) {
        this.#setTimer(watched, (1 + random()) * plugins.waitMilliseconds);
        return;
      }
      this.#running += source.account.attend ? 1 : 0;
      const renewed = await renewals.run(source, 'ahead');
      this.#running -= source.account.attend ? 1 : 0;
      if (this.#watched.get(source) !== watched) {
        return;
      }
      watched.chance = random();
      const next = this.#deps.cached(source);
      // Only the user can help, there is nothing newer, or the new credential is due again already and would be for
      // ever: the next step begins with a caller.
      const isOver = renewed.ok
        ? next === grant || (next !== null && this.#isDue(watched, next))
        : renewals.waitMilliseconds(source) === 0;
      if (isOver) {
        this.#drop(watched);
        return;
      }
    }
    this.#schedule(watched);
  }
}

/** How long before its expiry it is renewed, in milliseconds. */
function leadOf({ chance }: Watched, grant: Grant): number {
  const { least, most } = grant.credential.certificate ? certificateLead : lead;
  return grant.margin * (least + chance * (most - least));
}
