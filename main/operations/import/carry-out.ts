import type { ImportPlan } from '../../domain/import/import-plan.ts';
import type { MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import type { KubeconfigApiVersion } from '../../kubeconfig/helper-exec.ts';
import type { ApplyHow, FileOutcome } from '../../kubeconfig/import/apply.ts';
import type { ImportSelection, PreparedImport } from '../../kubeconfig/import/prepare.ts';
import type { FirstContexts } from '../../kubeconfig/managed-kubeconfig.ts';

export interface CarryOutDeps {
  apply(prepared: PreparedImport, how: ApplyHow): Promise<FileOutcome[]>;
  hasManaged(): Promise<boolean>;
  /** Writes the managed kubeconfig; returns warnings for the user. */
  writeManaged(apiVersion: KubeconfigApiVersion, first: FirstContexts): Promise<string[]>;
  /** The present content is no longer new, and later changes are noticed. */
  markSeen(merged: MergedKubeconfig, plan: ImportPlan): Promise<void>;
}

export interface CarriedOut {
  outcomes: FileOutcome[];
  warnings: string[];
}

/** Does what was prepared and agreed to, and all that follows from it. */
export async function carryOutImport(
  {
    merged,
    prepared,
    selection,
  }: { merged: MergedKubeconfig; prepared: PreparedImport; selection: ImportSelection },
  how: ApplyHow,
  deps: CarryOutDeps,
): Promise<CarriedOut> {
  const outcomes = await deps.apply(prepared, how);
  // In place the managed one is not made; but where it is, it must not go on naming a place that is left.
  const writes = !selection.inPlace || (isReplacing(prepared) && (await deps.hasManaged()));
  const warnings = writes ? await deps.writeManaged(selection.apiVersion, prepared.first) : [];
  await deps.markSeen(merged, prepared.plan);
  return { outcomes, warnings };
}

function isReplacing({ plan }: PreparedImport): boolean {
  return plan.clusters.some(({ becomes }) => 'cluster' in becomes && becomes.replaces !== null);
}
