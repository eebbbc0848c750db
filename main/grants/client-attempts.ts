import type { Source } from './source.ts';

/** Limit of the remembered clients of one source; the oldest is forgotten first. */
const clientLimit = 256;

/**
 * The clients that have tried since a provider or a plugin last returned a credential: kubectl asks again with each
 * of its requests, and a long-running client would retry a failure in a hot loop.
 */
export class ClientAttempts {
  readonly #failed = new WeakMap<Source, Set<string>>();

  failed(source: Source, client: string | null | undefined): void {
    if (client) {
      const clients = this.#failed.get(source) ?? new Set<string>();
      this.#failed.set(source, clients.add(client));
      const [oldest] = clients;
      if (clients.size > clientLimit && oldest !== undefined) {
        clients.delete(oldest);
      }
    }
  }

  succeeded(source: Source): void {
    this.#failed.delete(source);
  }

  hasTried(source: Source, client: string | null): boolean {
    return client !== null && (this.#failed.get(source)?.has(client) ?? false);
  }
}
