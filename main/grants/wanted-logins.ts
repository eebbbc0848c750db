import { raceAbort } from '../base/abort.ts';
import type { Disposable } from '../base/disposables.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { AccountView } from '../contract/ui/state.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { LoggedIn } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';

/** How long a program without a terminal waits for a login to begin, in milliseconds. */
export const wantedMilliseconds = 120_000;
/** After a wait without a login, the next ones are shorter: a job that runs at night must not hang each time. */
const inVainMilliseconds = 600_000;

const callersShown = 3;
const namesShown = 6;
const nameCharacters = 60;

export interface WantedLoginsDeps {
  clock: Pick<Clock, 'now' | 'boottime' | 'after'>;
  /** The user is told now. */
  isTold(): boolean;
  /** `view` has changed. */
  onChange(): void;
}

/** How a wait ended: a login began, or there won't be one. */
export type WantedEnd = { kind: 'begun'; done: Promise<LoggedIn> } | { kind: 'refused'; refusal: Refusal };

interface Wanted {
  since: number;
  endsAt: number;
  /** Per waiting request: the programs, nearest first. */
  seats: Set<string[]>;
  ended: PromiseWithResolvers<WantedEnd>;
  limit: Disposable;
}

/**
 * Logins that programs wait for where no one would see one (rule: no-storms): nothing opens, the user is told, and
 * the login that they begin serves all. One wait for each account, however many ask.
 */
export class WantedLogins {
  readonly #deps: WantedLoginsDeps;
  readonly #wanted = new Map<string, Wanted>();
  /** By account: no login came; until when, on the boottime clock. */
  readonly #inVain = new Map<string, number>();

  constructor(deps: WantedLoginsDeps) {
    this.#deps = deps;
  }

  /** The user is told, and didn't let one run out just now. */
  canWait(account: string): boolean {
    return (
      this.#wanted.has(account) ||
      (this.#deps.isTold() && (this.#inVain.get(account) ?? 0) <= this.#deps.clock.boottime())
    );
  }

  /** Waits until a login begins, two minutes at most. Rejects when `signal` aborts: the caller has gone. */
  async wait(account: string, lineage: readonly string[], signal: AbortSignal): Promise<WantedEnd> {
    const wanted = this.#wanted.get(account) ?? this.#begin(account);
    const seat = lineage.slice(0, namesShown).map((name) => visibleText(name, nameCharacters));
    wanted.seats.add(seat);
    this.#deps.onChange();
    try {
      return await raceAbort(wanted.ended.promise, signal);
    } finally {
      wanted.seats.delete(seat);
      if (wanted.seats.size === 0 && this.#wanted.get(account) === wanted) {
        this.#forget(account, wanted);
      }
      this.#deps.onChange();
    }
  }

  /** A login of the account has begun: those who waited for it to begin now wait for its result. */
  begun(account: string, done: Promise<LoggedIn>): void {
    this.#inVain.delete(account);
    this.#end(account, { kind: 'begun', done });
  }

  /** There won't be a login: the account was changed or logged out, or the broker locks or stops. */
  cancel(account: string, why: string): void {
    this.#end(account, { kind: 'refused', refusal: refuse('denied', 'login.cancelled', why) });
  }

  cancelAll(why: string): void {
    for (const account of [...this.#wanted.keys()]) {
      this.cancel(account, why);
    }
  }

  /** As pages show it; null: no one waits. */
  view(account: string): AccountView['wanted'] {
    const wanted = this.#wanted.get(account);
    if (!wanted) {
      return null;
    }
    const callers = new Map([...wanted.seats].map((seat) => [seat.join('\n'), seat] as const));
    const { since, endsAt, seats } = wanted;
    return { since, endsAt, callers: [...callers.values()].slice(0, callersShown), waiting: seats.size };
  }

  #begin(account: string): Wanted {
    const { clock } = this.#deps;
    const since = clock.now();
    const wanted: Wanted = {
      since,
      endsAt: since + wantedMilliseconds,
      seats: new Set(),
      ended: Promise.withResolvers<WantedEnd>(),
      limit: clock.after(wantedMilliseconds, () => {
        this.#inVain.set(account, clock.boottime() + inVainMilliseconds);
        this.#end(account, { kind: 'refused', refusal: nobodyCame(account) });
      }),
    };
    this.#wanted.set(account, wanted);
    return wanted;
  }

  #end(account: string, end: WantedEnd): void {
    const wanted = this.#wanted.get(account);
    if (wanted) {
      this.#forget(account, wanted);
      wanted.ended.resolve(end);
    }
  }

  #forget(account: string, { limit }: Wanted): void {
    limit.dispose();
    this.#wanted.delete(account);
  }
}

function nobodyCame(account: string): Refusal {
  return refuse(
    'loginNeeded',
    'login.notBegun',
    `${account} needs a login, and none began within ${wantedMilliseconds / 60_000} minutes`,
    `log in in Lanyard’s window, or run: lanyard login ${account}; then try again`,
  );
}
