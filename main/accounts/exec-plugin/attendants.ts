import type { Attendant } from '../../ports/account.ts';

/** The callers that wait for one credential, in the order in which they came. */
export class Attendants {
  readonly #waiting = new Set<Attendant>();
  /** Their run was lost: not asked again while they wait. */
  readonly #spent = new Set<Attendant>();
  readonly #onChange: () => void;

  /** `onChange`: a caller came or left. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  enter(attendant: Attendant): () => void {
    // Each entry is its own: one caller may wait twice.
    const own = { ...attendant };
    this.#waiting.add(own);
    this.#onChange();
    return () => {
      this.#waiting.delete(own);
      this.#spent.delete(own);
      this.#onChange();
    };
  }

  /** All that wait. */
  all(): readonly Attendant[] {
    return [...this.#waiting];
  }

  isWaiting(attendant: Attendant): boolean {
    return this.#waiting.has(attendant) && !attendant.signal.aborted;
  }

  /** One of `all` that can't go on running the plugin, or has no terminal to lend after all. */
  passOver(attendant: Attendant, why: 'spent' | 'noTerminal'): void {
    if (why === 'noTerminal') {
      attendant.interactive = false;
    } else {
      this.#spent.add(attendant);
    }
  }

  /** Those that may still be asked to run the plugin. */
  fresh(): readonly Attendant[] {
    return [...this.#waiting].filter((each) => !this.#spent.has(each) && !each.signal.aborted);
  }
}
