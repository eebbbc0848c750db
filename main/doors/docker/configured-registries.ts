import type { Secret } from '../../base/secret.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { RegistryServer } from '../../domain/image/registry-server.ts';
import type { DoorContext } from '../../ports/door.ts';

/** A registry of config.yaml, as this door needs it. */
export interface ConfiguredRegistry {
  /** Its name in config.yaml. */
  readonly name: string;
  /** Its credential in the form that the client reads, or why there is none now; either is on record when this resolves.
   * Empty: the account has none for this server. */
  answer(
    context: DoorContext,
    format: (userName: string, secret: Secret) => string,
  ): Promise<{ ok: true; text: string } | Refusal>;
}

/** The registries of config.yaml. They come before stored entries, and docker changes none of them. */
export interface ConfiguredRegistries {
  /**
   * The one that answers for this server; null: none does. `calledAs`: NAME of `docker-credential-lanyard-NAME`; null:
   * the helper was called without one.
   */
  find(server: RegistryServer, calledAs: string | null): ConfiguredRegistry | null;
}
