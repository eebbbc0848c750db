import type { Bindings } from '../../../access/bindings.ts';
import type { EntryName } from '../../../domain/loaded-config.ts';
import type { PreparedImport } from '../../../kubeconfig/import/prepare.ts';

/**
 * The entries of a plan that are already in config.yaml and pending approval: an earlier import wrote them. The user’s
 * kubeconfigs must not be edited before they are approved. Throws `vault.locked` while the vault isn’t open.
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
