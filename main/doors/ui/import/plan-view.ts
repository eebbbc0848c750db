import type { ImportPlanView } from '../../../contract/ui/calls/import.ts';
import { noChosenNames } from '../../../domain/import/chosen-names.ts';
import type {
  PlainSecret,
  PlannedCluster,
  PlannedUser,
  PlanQuestion,
} from '../../../domain/import/import-plan.ts';
import type { MergedKubeconfig } from '../../../domain/import/kubeconfig.ts';
import { shownName } from '../../../domain/text/shown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { hiddenLines } from '../../../operations/import/hidden-entries.ts';
import { plainSecrets } from '../../../operations/import/plain-secrets.ts';
import { programFactLines, programsOf } from '../../../operations/import/programs.ts';
import { questionAsked, questionHeadings, sumAsked } from '../../../operations/import/questions.ts';
import { hasErrors, hasWork } from '../../../operations/import/source-checks.ts';
import type { KeptPlan } from './plan-store.ts';

/** The most of each list that is shown; there may be thousands. */
const limits = { plain: 300, notes: 200, problems: 50 };
const longestNote = 1000;
const longestFact = 4000;

/** The plan as a page shows it. Names where secrets are, never their values. Invisible characters are made visible. */
export function planView(kept: KeptPlan, paths: { config: string; managed: string }): ImportPlanView {
  const { id, source, selection, prepared, refused } = kept;
  const { merged } = source;
  const { plan } = prepared;
  const names = selection.names ?? noChosenNames;
  const plain = plainSecrets(merged, plan, selection.inPlace);
  return {
    id,
    inPlace: selection.inPlace,
    files: fileViews(merged),
    allContexts: [...merged.contexts.keys()].map((context) => ({ context, name: shownName(context) })),
    problems: problemViews(merged),
    hidden: cut(hiddenLines(merged.hidden, paths.managed), limits.notes),
    users: plan.users.map((each) => userView(each, names.accounts)),
    contexts: plan.clusters.map((each) => contextView(each, names.clusters)),
    programs: [...programsOf(plan)].map(([account, program]) => ({
      account,
      lines: programFactLines(program),
    })),
    questions: plan.questions.map(questionView),
    plain: { now: plainView(plain.now), after: plainView(plain.after), given: plain.given },
    offlineAccess: plan.offlineAccess && {
      accounts: [...plan.offlineAccess.accounts],
      added: plan.offlineAccess.added,
    },
    notes: noteViews(prepared.plan),
    stillHeld: prepared.files
      .filter(({ stillHolds }) => stillHolds.length > 0)
      .map(({ path, stillHolds }) => ({ file: path, accounts: [...stillHolds] })),
    diffs: [
      ...(prepared.edits.length === 0 ? [] : [{ file: paths.config, changes: prepared.edits.length }]),
      ...prepared.files.map(({ path, changes }) => ({ file: path, changes })),
    ],
    sum: hasWork(prepared) && !hasErrors(merged) ? sumAsked(prepared) : null,
    refused: refused && visibleText([refused.message, refused.hint ?? []].flat().join('. '), longestNote),
    managed: paths.managed,
  };
}

/** The question’s index as an id: a plan’s questions never change. */
export function questionId(index: number): string {
  return `q${index}`;
}

export function fileViews({ files }: Pick<MergedKubeconfig, 'files'>): ImportPlanView['files'] {
  return files.map(({ path, text, mode }) => ({
    path,
    exists: text !== null,
    openToOthers: mode !== null && (mode & 0o077) !== 0 ? (mode & 0o7777).toString(8).padStart(4, '0') : null,
  }));
}

export function problemViews({ problems }: Pick<MergedKubeconfig, 'problems'>): ImportPlanView['problems'] {
  return problems
    .slice(0, limits.problems)
    .map(({ message, ...place }) => ({ ...place, message: visibleText(message, longestNote) }));
}

function userView(
  { user, file, line, nameInFile, kind, description, becomes, neededBy, notes }: PlannedUser,
  chosen: ReadonlyMap<string, string>,
) {
  return {
    user: shownName(user),
    file,
    line,
    kind,
    description: visibleText(description, longestNote),
    becomes:
      'left' in becomes
        ? { left: visibleText(becomes.left, longestNote) }
        : {
            account: becomes.account,
            exists: becomes.exists,
            replaces: becomes.replaces,
            needsLogin: becomes.next !== null,
            // What was chosen can be taken back.
            canBeNamed:
              chosen.has(user) ||
              becomes.canSplit ||
              (becomes.sharedWith === null &&
                !becomes.exists &&
                !becomes.replaces &&
                becomes.account !== nameInFile),
          },
    of: user,
    neededBy: neededBy.map((name) => shownName(name)),
    notes: notes.map((note) => visibleText(note, longestNote)),
  };
}

function contextView(
  { context, nameInFile, server, user, becomes, notes }: PlannedCluster,
  chosen: ReadonlyMap<string, string>,
) {
  return {
    context,
    name: shownName(context),
    server: visibleText(server, longestNote),
    user: shownName(user),
    becomes:
      'left' in becomes
        ? { left: visibleText(becomes.left, longestNote) }
        : {
            cluster: becomes.cluster,
            account: becomes.account,
            exists: becomes.exists,
            replaces: becomes.replaces,
            canBeNamed:
              chosen.has(context) ||
              (!becomes.exists &&
                becomes.replaces === null &&
                becomes.sharedWith === null &&
                becomes.cluster !== nameInFile),
          },
    notes: notes.map((note) => visibleText(note, longestNote)),
  };
}

function questionView({ kind, contexts, lines, isUsual }: PlanQuestion, index: number) {
  return {
    id: questionId(index),
    kind,
    heading: questionHeadings[kind],
    asked: questionAsked(kind, contexts),
    // All of them, unshortened: the user can’t agree to what isn’t shown.
    lines: lines.map((line) => visibleText(line, longestFact)),
    contexts: [...contexts],
    isUsual,
  };
}

function plainView(secrets: readonly PlainSecret[]) {
  return {
    count: secrets.length,
    listed: secrets.slice(0, limits.plain).map(({ what, file, line }) => ({ what, file, line })),
  };
}

function noteViews({ notes, unused }: KeptPlan['prepared']['plan']): string[] {
  const all = [...notes, ...unusedNotes('cluster', unused.clusters), ...unusedNotes('user', unused.users)];
  return cut(all, limits.notes);
}

function cut(lines: readonly string[], most: number): string[] {
  const more = lines.length - most;
  const shown = lines.slice(0, most).map((line) => visibleText(line, longestNote));
  return more > 0 ? [...shown, `… and ${more} more`] : shown;
}

function unusedNotes(what: string, names: readonly string[]): string[] {
  const shown = names.slice(0, 8).map((name) => shownName(name));
  const more = names.length > 8 ? ', …' : '';
  return names.length === 0
    ? []
    : [`no context uses the ${what}${names.length === 1 ? '' : 's'} ${shown.join(', ')}${more}`];
}
