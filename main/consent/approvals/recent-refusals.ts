import type { Refusal } from '../../contract/refusal.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Clock } from '../../ports/clock.ts';

/** kubectl runs its plugin again immediately, five times and more, before it gives up on one command. */
const standsMilliseconds = 10_000;
const refusalLimit = 256;

/**
 * A No is for the one command that it answered: the same process, asking for the same again immediately, gets it
 * without another question. No other process does, and a long-running program may soon ask again.
 */
export class RecentRefusals {
  readonly #clock: Clock;
  readonly #refusals = new Map<string, { refusal: Refusal; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `what` names what was requested. */
  find(caller: Caller, what: string): Refusal | null {
    const found = this.#refusals.get(keyOf(caller, what));
    return found && caller.sure && found.until > this.#clock.boottime() ? found.refusal : null;
  }

  add(caller: Caller, what: string, refusal: Refusal): void {
    if (!caller.sure) {
      return;
    }
    if (this.#refusals.size >= refusalLimit) {
      this.#refusals.clear();
    }
    const until = this.#clock.boottime() + standsMilliseconds;
    this.#refusals.set(keyOf(caller, what), { refusal, until });
  }
}

function keyOf({ pid, startTime, executableId }: Caller, what: string): string {
  return JSON.stringify([pid, startTime, executableId, what]);
}
