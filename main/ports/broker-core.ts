import type { Refusal } from '../contract/refusal.ts';
import type { Account } from './account.ts';
import type { LoadedCluster } from './config-store.ts';

/**
 * An account or a cluster by name: confirmed and usable, or why not (unknown, held, invalid) (rule: confirmed-binding).
 */
export interface Directory {
  account(name: string): { ok: true; account: Account } | Refusal;
  cluster(name: string): { ok: true; cluster: LoadedCluster } | Refusal;
  /** All clusters as they serve, for finding one by its server; those without an approved form, too. */
  clusters(): readonly LoadedCluster[];
  /** Clusters as config.yaml has them, whose form there is not approved (rule: confirmed-binding). */
  pendingClusters(): readonly LoadedCluster[];
}

/** Whether anything may be handed out at all; null: yes. */
export type Gate = () => Refusal | null;
