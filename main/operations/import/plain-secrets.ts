import type { ImportPlan, PlainSecret } from '../../domain/import/import-plan.ts';

/** Which secrets lie in plain text on this disk now, and which would after the import. */
export function plainSecrets(
  plan: Pick<ImportPlan, 'users' | 'plainElsewhere'>,
  inPlace: boolean,
): { now: PlainSecret[]; after: PlainSecret[] } {
  const elsewhere = plan.plainElsewhere.flatMap(({ plain }) => plain);
  const now = [...plan.users.flatMap(({ plainNow }) => plainNow), ...elsewhere];
  const after = inPlace
    ? [...plan.users.flatMap(({ plainAfterInPlace }) => plainAfterInPlace), ...elsewhere]
    : now;
  return { now, after };
}
