import type { AccountEntry, PlannedCluster, PlannedUser } from '../../../domain/import/import-plan.ts';
import { plainSecretsOfClusters } from '../../../domain/import/index.ts';
import type { MergedKubeconfig } from '../../../domain/import/kubeconfig.ts';
import { namesOf } from '../../../domain/loaded-config.ts';
import type { FileOutcome } from '../../../kubeconfig/import/apply.ts';
import type { ImportSelection, PreparedImport } from '../../../kubeconfig/import/prepare.ts';
import { configHunk } from '../../../operations/import/config-hunk.ts';

export interface ShownImport {
  merged: MergedKubeconfig;
  prepared: PreparedImport;
  selection: ImportSelection;
  /** The managed kubeconfig's path. */
  managed: string;
  /** Of config.yaml. */
  config: string;
}

export interface DoneImport extends ShownImport {
  outcomes: readonly FileOutcome[];
  warnings: readonly string[];
  /** False: the new entries are pending until the user runs `lanyard confirm`. */
  confirms: boolean;
}

/** What it wrote into config.yaml is pending: there was no terminal to approve it on. */
export function isHeld({ confirms, prepared }: Pick<DoneImport, 'confirms' | 'prepared'>): boolean {
  return !confirms && prepared.edits.length > 0;
}

/** The plan for programs, and what was done where it was done. Holds no secret, only where secrets are. */
export function importJson(shown: ShownImport | DoneImport): object {
  const { merged, prepared, selection } = shown;
  const { plan, edits } = prepared;
  const inConfig = configHunk(edits, prepared.seen);
  return {
    files: merged.files.map(({ path, target, mode, text }) => ({
      path,
      target,
      exists: text !== null,
      mode: mode === null ? null : mode.toString(8).padStart(4, '0'),
    })),
    problems: merged.problems,
    hidden: merged.hidden.map(({ what, origin, by, isSame }) => ({ what, ...origin, by, isSame })),
    inPlace: selection.inPlace,
    apiVersion: selection.apiVersion,
    users: plan.users.map((user) => userJson(user, selection.inPlace)),
    clusters: plan.clusters.map(clusterJson),
    unused: plan.unused,
    plainElsewhere: plan.plainElsewhere,
    plainOfClusters: plainSecretsOfClusters(merged),
    questions: plan.questions,
    offlineAccess: plan.offlineAccess,
    notes: plan.notes,
    diffs: [
      ...(inConfig === null ? [] : [{ file: shown.config, hunks: [inConfig] }]),
      ...prepared.files.map(({ path, hunks }) => ({ file: path, hunks })),
    ],
    stillHeld: prepared.files.flatMap(({ path, stillHolds }) =>
      stillHolds.map((account) => ({ file: path, account })),
    ),
    managed: selection.inPlace ? null : shown.managed,
    ...('outcomes' in shown && {
      done: {
        accounts: namesOf(edits, 'account'),
        clusters: namesOf(edits, 'cluster'),
        files: shown.outcomes.map(({ path }) => path),
        held: isHeld(shown),
        warnings: shown.warnings,
      },
    }),
  };
}

function userJson({ becomes, ...user }: PlannedUser, inPlace: boolean): object {
  const { plainAfterInPlace, ...rest } = user;
  const shown = { ...rest, plainAfter: inPlace ? plainAfterInPlace : user.plainNow };
  if ('left' in becomes) {
    return { ...shown, becomes };
  }
  const { apart: _, ...account } = becomes;
  return {
    ...shown,
    becomes: { ...account, value: withoutPath(becomes.value), secrets: Object.keys(becomes.secrets) },
  };
}

/** A PATH is long, and the same for all of an import: how many folders it has is among the program's facts. */
function withoutPath(value: AccountEntry): object {
  if (!('execPlugin' in value)) {
    return value;
  }
  const { searchPath: _, ...said } = value.execPlugin as { searchPath?: string };
  return { execPlugin: said };
}

function clusterJson({ becomes, ...cluster }: PlannedCluster): object {
  return { ...cluster, becomes };
}
