import type { Bindings } from '../../../access/bindings.ts';
import type { EntryName } from '../../../domain/loaded-config.ts';
import type { PreparedImport } from '../../../kubeconfig/import/prepare.ts';

/**
 * What of a plan is in config.yaml already and waits for a person's word: an earlier import wrote it, and nobody waited.
 * The person's files must not be edited before that word. Throws `vault.locked` while the vault isn't open.
 */
export function pendingOfPlan(
  { plan }: Pick<PreparedImport, 'plan'>,
  bindings: Pick<Bindings, 'pending'>,
): EntryName[] {
  const accounts = plan.users.flatMap(({ becomes }) => ('account' in becomes ? [becomes.account] : []));
  const clusters = plan.clusters.flatMap(({ becomes }) => ('cluster' in becomes ? [becomes.cluster] : []));
  return [
    ...[...new Set(accounts)].map((name) => ({ what: 'account', name }) as const),
    ...[...new Set(clusters)].map((name) => ({ what: 'cluster', name }) as const),
  ].filter(({ what, name }) => bindings.pending(what, name));
}
