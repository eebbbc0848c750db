import type { CallOutput } from '../../../contract/ui/calls/index.ts';
import { namesOf } from '../../../domain/loaded-config.ts';
import { callersShell, setVariableLines, shellWord } from '../../../domain/text/shell-line.ts';
import { kubeconfigList } from '../../../kubeconfig/rules/kubeconfig-list.ts';
import type { CarriedOut } from '../../../operations/import/carry-out.ts';
import type { KeptPlan } from './plan-store.ts';

/** What the import did, and the next steps. */
export function doneView(
  { source, selection, prepared, sources }: KeptPlan,
  { outcomes, warnings }: CarriedOut,
  { managed, usual, environment, platform }: DoneOptions,
): CallOutput<'import.apply'> {
  const { plan, edits } = prepared;
  // Also those that an earlier import wrote, and that it only finished: a login may still be missing.
  const accounts = new Map(
    plan.users.flatMap(({ becomes }) =>
      'account' in becomes ? [[becomes.account, becomes.needsLogin] as const] : [],
    ),
  );
  const imported = plan.clusters.flatMap(({ context, nameInFile, becomes }) =>
    'cluster' in becomes ? [{ context, nameInFile, cluster: becomes.cluster }] : [],
  );
  const current = source.merged.currentContext?.name;
  const first = imported.find(({ context }) => context === current) ?? imported[0];
  const { inPlace } = selection;
  return {
    accounts: [...accounts].map(([name, needsLogin]) => ({ name, needsLogin })),
    clusters: namesOf(edits, 'cluster'),
    inPlace,
    edited: outcomes.filter(({ kept }) => kept === null).map(({ path }) => path),
    kept: outcomes.flatMap(({ path, kept }) => (kept === null ? [] : [{ file: path, why: kept }])),
    warnings: [...warnings],
    environmentLine: inPlace
      ? null
      : variableLine(managed, readFiles(source, sources, usual), environment, platform),
    tryLine:
      first === undefined
        ? null
        : tryLine(inPlace ? first.nameInFile : first.cluster, inPlace && first.context === current),
  };
}

interface DoneOptions {
  managed: string;
  /** The files that kubectl reads. */
  usual: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  platform: string;
}

function tryLine(context: string, isCurrent: boolean): string {
  return isCurrent ? 'kubectl get pods' : `kubectl --context ${shellWord(context)} get pods`;
}

/** The command for the shell that started the broker, else for a POSIX shell. */
function variableLine(
  managed: string,
  files: readonly string[],
  environment: DoneOptions['environment'],
  platform: string,
): string {
  const shell = callersShell(environment, platform) ?? 'posix';
  const [line] = setVariableLines(shell, 'KUBECONFIG', kubeconfigList(managed, files, platform)).split('\n');
  return line ?? '';
}

/** The files whose contexts kubectl should go on to have. A text is none: then those that it reads. */
function readFiles(
  { merged }: KeptPlan['source'],
  sources: KeptPlan['sources'],
  usual: readonly string[],
): readonly string[] {
  const files = sources.filter((source) => typeof source === 'string');
  return files.length === 0
    ? usual
    : files.filter((path) => merged.files.some((file) => file.path === path && file.text !== null));
}
