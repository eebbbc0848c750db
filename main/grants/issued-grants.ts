import type { Grant } from './grant.ts';

/** Limit of the remembered clients; each runs a helper now and then, and most only once. */
const limit = 4096;

/**
 * Which generation each client was last given (rule: inferred-401). A client is its process (pid, start time,
 * executable) and what it said: client-go runs the plugin again with the same words when the server answered 401, and
 * doesn't say so.
 */
export class IssuedGrants {
  readonly #byClient = new Map<string, { grant: WeakRef<Grant>; toldExpiry: number | null }>();

  /** `toldExpiry`: the expiry the client was told, in milliseconds since 1970; after it the client asks again. */
  note(client: string, grant: Grant, toldExpiry: number | null): void {
    this.#byClient.delete(client);
    this.#byClient.set(client, { grant: new WeakRef(grant), toldExpiry });
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

  /** The client already has this credential, and it has not expired by what the client was told. */
  isAgain(client: string, grant: Grant, now: number): boolean {
    const last = this.#byClient.get(client);
    return last?.grant.deref() === grant && (last.toldExpiry === null || now < last.toldExpiry);
  }
}
