import type { Refusal } from '../contract/refusal.ts';
import type { Account } from './account.ts';
import type { LoadedCluster } from './config-store.ts';

/**
 * An account or a cluster by name: approved and usable, or why not (unknown, pending, invalid)
 * (rule: confirmed-binding).
 */
export interface Directory {
  account(name: string): { ok: true; account: Account } | Refusal;
  cluster(name: string): { ok: true; cluster: LoadedCluster } | Refusal;
  /** The active form of each cluster, for finding one by its server; includes those without an approved form. */
  clusters(): readonly LoadedCluster[];
  /** Clusters as config.yaml has them, whose form there is not approved (rule: confirmed-binding). */
  pendingClusters(): readonly LoadedCluster[];
}

/** Why no credential may be issued at all; null: it may. */
export type Gate = () => Refusal | null;
