import type { Bindings } from '../../../access/bindings.ts';
import type { PreparedImport } from '../../../kubeconfig/import/prepare.ts';

/** An entry that a person has to confirm. */
export interface PendingEntry {
  kind: 'setAccount' | 'setCluster';
  name: string;
}

/**
 * What of a plan is in config.yaml already and waits for a person's word: an earlier import wrote it, and nobody waited.
 * The person's files must not be edited before that word. Throws `vault.locked` while the vault isn't open.
 */
export function pendingOfPlan(
  { plan }: Pick<PreparedImport, 'plan'>,
  bindings: Pick<Bindings, 'pending'>,
): PendingEntry[] {
  const accounts = new Set<string>();
  const clusters = new Set<string>();
  for (const { becomes } of plan.users) {
    if ('account' in becomes) {
      accounts.add(becomes.account);
    }
  }
  for (const { becomes } of plan.clusters) {
    if ('cluster' in becomes) {
      clusters.add(becomes.cluster);
    }
  }
  return [
    ...[...accounts]
      .filter((name) => bindings.pending('account', name))
      .map((name) => ({ kind: 'setAccount' as const, name })),
    ...[...clusters]
      .filter((name) => bindings.pending('cluster', name))
      .map((name) => ({ kind: 'setCluster' as const, name })),
  ];
}
