import type { Grant } from './grant.ts';

/** So many clients are remembered; each runs a helper now and then, and most only once. */
const limit = 4096;

/**
 * Which generation each client was last given (rule: inferred-401). A client is its process (pid, start time,
 * executable) and what it said: client-go runs the plugin again with the same words when the server answered 401, and
 * doesn't say so.
 */
export class Deliveries {
  readonly #byClient = new Map<string, { grant: WeakRef<Grant>; toldEnd: number | null }>();

  /** `toldEnd`: the end that the client was told, in milliseconds since 1970; it comes back by itself after that. */
  note(client: string, grant: Grant, toldEnd: number | null): void {
    this.#byClient.delete(client);
    this.#byClient.set(client, { grant: new WeakRef(grant), toldEnd });
    if (this.#byClient.size > limit) {
      const oldest = this.#byClient.keys().next();
      if (!oldest.done) {
        this.#byClient.delete(oldest.value);
      }
    }
  }

  has(client: string, grant: Grant): boolean {
    return this.#byClient.get(client)?.grant.deref() === grant;
  }

  /** The client has this very credential already, and no reason of its own to ask for it again. */
  isAgain(client: string, grant: Grant, now: number): boolean {
    const last = this.#byClient.get(client);
    return last?.grant.deref() === grant && (last.toldEnd === null || now < last.toldEnd);
  }
}
