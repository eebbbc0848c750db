import type { Disposable } from '../base/disposables.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { Caller } from '../ports/caller.ts';
import type { Clock } from '../ports/clock.ts';
import type { Door } from '../ports/door.ts';
import type { Log } from '../ports/log.ts';
import type { Lock } from './lock.ts';

/** Timers stand still while the machine sleeps: the time is looked at this often, and at each request. */
const checkMilliseconds = 15_000;

/** Programs remembered as having asked before; few run at a time. */
const programLimit = 4096;

/** Whose request it is, as far as its own words tell; `nobody`: a shell's, before or while a person types. */
export type RequestedBy = 'person' | 'program' | 'nobody';

export interface IdleLockDeps {
  clock: Clock;
  log: Log;
  lock: Lock;
  /** The confirmed `lock.afterIdle` in milliseconds; null: never, or locked. */
  limit(): number | null;
}

/**
 * Closes the lock when no person has asked anything for the confirmed time, time asleep included. What counts as a
 * person: a command of the CLI at a terminal, and a program's first request where it has a terminal. A program that
 * asks again and again for itself (k9s, a controller, a shell's prompt) holds nothing open.
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

  /** The lock's gate, closed by then where the time has run out meanwhile. */
  gate(): Refusal | null {
    this.#check();
    return this.#deps.lock.gate();
  }

  /**
   * A door that closes first where the time has run out, and whose requests count by whom `requestedBy` says they come
   * from.
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

  /** `limit` may say something else now. */
  limitChanged(): void {
    this.#schedule();
  }

  /** A person did something: the time begins anew. */
  touch(): void {
    this.#lastAt = this.#deps.clock.boottime();
  }

  /** The limit in force and what is left of it, in whole seconds; null where it doesn't lock by itself. */
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

  /** Closed at once for whoever asks next; the draining goes on behind it. */
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
    // Looked at even without a limit: a file that was changed and confirmed elsewhere may have brought one.
    const wait = Math.min(checkMilliseconds, Math.max(1, left?.milliseconds ?? checkMilliseconds));
    if (!this.#ended) {
      this.#timer = this.#deps.clock.after(wait, () => {
        this.#check();
        this.#schedule();
      });
    }
  }
}
