import type { Secret } from '../../base/secret.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { DoorContext } from '../../ports/door.ts';
import type { RegistryServer } from './rules/server.ts';

/** A registry of config.yaml, as this door needs it. */
export interface ConfiguredRegistry {
  /** Its name in config.yaml. */
  readonly name: string;
  /** Its credential for this server, or why there is none now; either is on record when this resolves. */
  credential(
    server: RegistryServer,
    context: DoorContext,
  ): Promise<{ ok: true; userName: string; secret: Secret } | Refusal>;
}

/** The registries of config.yaml. They come before stored entries, and docker changes none of them. */
export interface ConfiguredRegistries {
  /**
   * The one that answers for this server; null: none does. `calledAs`: NAME of `docker-credential-lanyard-NAME`; null:
   * the helper was called without one.
   */
  find(server: RegistryServer, calledAs: string | null): ConfiguredRegistry | null;
}
