import type { ImportPlan, PlainSecret } from '../../domain/import/import-plan.ts';
import { countGivenSecrets, plainSecretsOfClusters } from '../../domain/import/index.ts';
import type { MergedKubeconfig } from '../../domain/import/kubeconfig.ts';

/**
 * Which secrets lie in plain text on this disk now, and which would after the import. `given`: how many are in texts
 * that are no files.
 */
export function plainSecrets(
  merged: Pick<MergedKubeconfig, 'users' | 'clusters' | 'hidden'>,
  plan: Pick<ImportPlan, 'users' | 'plainElsewhere'>,
  inPlace: boolean,
): { now: PlainSecret[]; after: PlainSecret[]; given: number } {
  const elsewhere = [...plan.plainElsewhere.flatMap(({ plain }) => plain), ...plainSecretsOfClusters(merged)];
  const now = [...plan.users.flatMap(({ plainNow }) => plainNow), ...elsewhere];
  const after = inPlace
    ? [...plan.users.flatMap(({ plainAfterInPlace }) => plainAfterInPlace), ...elsewhere]
    : now;
  return { now, after, given: countGivenSecrets(merged) };
}
