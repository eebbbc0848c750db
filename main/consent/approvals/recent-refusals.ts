import type { Refusal } from '../../contract/refusal.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Clock } from '../../ports/clock.ts';

/** kubectl runs its plugin again at once, five times and more, before it gives one command up. */
const standsMilliseconds = 10_000;
const refusalLimit = 256;

/**
 * A No stands for the one command that it was said to: the same process, asking for the same again at once, hears it
 * without another question. Nobody else does, and a program that lives on may ask again soon.
 */
export class RecentRefusals {
  readonly #clock: Clock;
  readonly #refusals = new Map<string, { refusal: Refusal; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `what` names what was asked for. */
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
