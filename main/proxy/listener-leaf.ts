import type { Clock } from '../ports/clock.ts';
import type { KeyPair } from './data-plane.ts';

/** It is good for 30 days. */
const renewMilliseconds = 7 * 86_400_000;

/** The listener’s certificate: the last one while it is young, and of the same CA. */
export class ListenerLeaf {
  readonly #issue: (authority: KeyPair) => Promise<{ leaf: KeyPair }>;
  readonly #clock: Pick<Clock, 'boottime'>;
  #last: { pair: KeyPair; of: string; at: number } | null = null;

  constructor(issue: (authority: KeyPair) => Promise<{ leaf: KeyPair }>, clock: Pick<Clock, 'boottime'>) {
    this.#issue = issue;
    this.#clock = clock;
  }

  /** Throws what issuing one throws. */
  async for(authority: KeyPair): Promise<KeyPair> {
    const now = this.#clock.boottime();
    if (this.#last?.of !== authority.certificate || now - this.#last.at > renewMilliseconds) {
      const { leaf } = await this.#issue(authority);
      this.#last = { pair: leaf, of: authority.certificate, at: now };
    }
    return this.#last.pair;
  }

  /** Another one, where there is one by now: the last is too old. Null: it stays, as it does where none can be issued. */
  async next(authority: KeyPair): Promise<KeyPair | null> {
    const before = this.#last?.pair;
    const leaf = await this.for(authority).catch(() => before);
    return leaf === undefined || leaf === before ? null : leaf;
  }

  forget(): void {
    this.#last = null;
  }
}
