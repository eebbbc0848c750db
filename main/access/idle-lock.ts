import type { Disposable } from '../base/disposables.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { Caller } from '../ports/caller.ts';
import type { Clock } from '../ports/clock.ts';
import type { Door } from '../ports/door.ts';
import type { Log } from '../ports/log.ts';
import type { Lock } from './lock.ts';

/** Timers stand still while the machine sleeps: the time is checked this often, and at each request. */
const checkMilliseconds = 15_000;

/** Limit of the remembered programs that asked before; few run at a time. */
const programLimit = 4096;

/** Whose request it is, as far as its own words tell; `nobody`: a shell's, before or while the user types. */
export type RequestedBy = 'person' | 'program' | 'nobody';

export interface IdleLockDeps {
  clock: Clock;
  log: Log;
  lock: Pick<Lock, 'gate' | 'close'>;
  /** The approved `lock.afterIdle` in milliseconds; null: never, or locked. */
  limit(): number | null;
}

/**
 * Closes the lock when the user has asked for nothing for the approved time, time asleep included. These count as the
 * user: a command of the CLI at a terminal, and a program's first request where it has a terminal. A program that
 * keeps asking (k9s, a controller, a shell's prompt) doesn't keep the lock open.
 */
export class IdleLock implements Disposable {
  readonly #deps: IdleLockDeps;
  readonly #programs = new Set<string>();
  #lastAt: number;
  #timer: Disposable | null = null;
  #ended = false;

  constructor(deps: IdleLockDeps) {
    this.#deps = deps;
    this.#lastAt = deps.clock.boottime();
    this.#schedule();
  }

  /** The lock's gate, closed first where the time has run out meanwhile. */
  gate(): Refusal | null {
    this.#check();
    return this.#deps.lock.gate();
  }

  /**
   * A door that closes first where the time has run out, and whose requests count by the requester that `requestedBy`
   * returns.
   */
  guard(door: Door, requestedBy: (request: unknown) => RequestedBy): Door {
    return async (request, context) => {
      this.#check();
      const counts = this.#isPerson(requestedBy(request), context.caller);
      if (counts) {
        this.touch();
      }
      try {
        return await door(request, context);
      } finally {
        this.#check();
        if (counts) {
          this.touch();
        }
      }
    };
  }

  /** `limit` may have changed. */
  limitChanged(): void {
    this.#schedule();
  }

  /** The user did something: the time starts again. */
  touch(): void {
    this.#lastAt = this.#deps.clock.boottime();
  }

  /** The active limit and what is left of it, in seconds; null where it doesn't lock automatically. */
  state(): { afterIdleSeconds: number; inSeconds: number } | null {
    const left = this.#left();
    return left === null || this.#deps.lock.gate() !== null
      ? null
      : { afterIdleSeconds: left.limit / 1000, inSeconds: Math.max(0, Math.ceil(left.milliseconds / 1000)) };
  }

  dispose(): void {
    this.#ended = true;
    this.#timer?.dispose();
  }

  #isPerson(asker: RequestedBy, caller: Caller): boolean {
    if (asker === 'nobody' || !caller.hasTerminal || caller.pid === 0) {
      return false;
    }
    if (asker === 'person') {
      return true;
    }
    const program = `${caller.pid} ${caller.startTime}`;
    const isNew = !this.#programs.has(program);
    if (isNew && this.#programs.size >= programLimit) {
      this.#programs.clear();
    }
    this.#programs.add(program);
    return isNew;
  }

  #left(): { limit: number; milliseconds: number } | null {
    const limit = this.#deps.limit();
    return limit === null
      ? null
      : { limit, milliseconds: this.#lastAt + limit - this.#deps.clock.boottime() };
  }

  /** Closed immediately for the next request; the draining goes on in the background. */
  #check(): void {
    const left = this.#left();
    if (left && left.milliseconds <= 0 && this.#deps.lock.gate() === null) {
      this.#deps.lock.close('idle').catch((error: unknown) => {
        this.#deps.log.error('lock.idle', { error });
      });
    }
  }

  #schedule(): void {
    this.#timer?.dispose();
    this.#timer = null;
    const left = this.#ended ? null : this.#left();
    // Checked even without a limit: a file that was changed and approved elsewhere may have set one.
    const wait = Math.min(checkMilliseconds, Math.max(1, left?.milliseconds ?? checkMilliseconds));
    if (!this.#ended) {
      this.#timer = this.#deps.clock.after(wait, () => {
        this.#check();
        this.#schedule();
      });
    }
  }
}
