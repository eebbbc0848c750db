import type { Caller } from '../../ports/caller.ts';

/** So many are remembered; the oldest is forgotten first. */
const limit = 4096;

/**
 * What each client's process was told last: kubectl runs its plugin up to five times before it gives up, and a program
 * that lives on does so for hours. The first line says all that the next ones would.
 */
export class ToldCauses {
  /** By process and what it asked for: the cause. */
  readonly #said = new Map<string, string>();

  /** True where this process hears of this cause for the first time since something else happened. */
  isNews(caller: Caller, what: string, cause: string): boolean {
    if (!caller.sure) {
      return true; // many clients may look like one
    }
    const key = keyOf(caller, what);
    const isNews = this.#said.get(key) !== cause;
    this.#said.delete(key);
    this.#said.set(key, cause);
    const [oldest] = this.#said.keys();
    if (this.#said.size > limit && oldest !== undefined) {
      this.#said.delete(oldest);
    }
    return isNews;
  }

  /** It gets credentials again: the next failure is news. */
  served(caller: Caller, what: string): void {
    if (this.#said.size > 0) {
      this.#said.delete(keyOf(caller, what));
    }
  }
}

function keyOf({ pid, startTime }: Caller, what: string): string {
  return JSON.stringify([pid, startTime, what]);
}
