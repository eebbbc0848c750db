import type { Refusal } from '../contract/refusal.ts';
import type { RegistryMatch, RegistryPatterns } from '../domain/image/registry-choice.ts';
import type { ServerRewriteConfig } from '../domain/inventory/server-rewrite.ts';
import type { Account } from './account.ts';
import type { LoadedCluster, LoadedRegistry } from './config-store.ts';

/**
 * An entry of config.yaml by name: approved and usable, or why not (unknown, pending, invalid)
 * (rule: confirmed-binding).
 */
export interface Directory {
  account(name: string): { ok: true; account: Account } | Refusal;
  /** The account of the credential helper with `fallback`, and the helper’s name; null: there is none. It may be unapproved. */
  fallbackHelper(): { account: string; helper: string } | null;
  cluster(name: string): { ok: true; cluster: LoadedCluster } | Refusal;
  registry(name: string): { ok: true; registry: LoadedRegistry } | Refusal;
  /** The active form of each cluster, for finding one by its server; includes those without an approved form. */
  clusters(): readonly LoadedCluster[];
  /** The active form of each registry, also while locked; includes those without an approved form. */
  registries(): readonly LoadedRegistry[];
  /** Their patterns, compiled. */
  registryPatterns(): RegistryPatterns;
  /**
   * The registry whose credential an image gets; null: config.yaml has none for it. `calledAs`: NAME of
   * `docker-credential-lanyard-NAME`; with it, the image’s host alone counts. A refusal where one is pending approval, or
   * config.yaml never was valid. While locked (`isOpen` false) a match may be unapproved.
   */
  registryFor(
    image: string,
    calledAs: string | null,
    isOpen: boolean,
  ): { ok: true; match: RegistryMatch | null } | Refusal;
  /** Clusters as config.yaml has them, whose form there is not approved (rule: confirmed-binding). */
  pendingClusters(): readonly LoadedCluster[];
  /** Of an inventory as it was approved; none where it wasn’t. */
  serverRewrites(inventory: string): readonly ServerRewriteConfig[];
}

/** Why no credential may be issued at all; null: it may. */
export type Gate = () => Refusal | null;
