import { inspect } from 'node:util';

const hidden = '[secret]';

/**
 * A token, key or password. However it is printed, spread or serialized it shows `[secret]`;
 * only `reveal()` gives the value out, so that a reader can search for that word (rule: no-secret-in-text).
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Call it only where the value leaves for the place it is meant for. */
  reveal(): string {
    return this.#value;
  }

  get isEmpty(): boolean {
    return this.#value.length === 0;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [Symbol.toPrimitive](): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}
