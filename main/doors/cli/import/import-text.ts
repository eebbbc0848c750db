import { givenSecretsText } from '../../../contract/given-secrets-text.ts';
import { counted } from '../../../contract/ui/count-text.ts';
import { isFile } from '../../../domain/import/given-text.ts';
import type {
  PlainSecret,
  PlannedCluster,
  PlannedUser,
  PlanQuestion,
} from '../../../domain/import/import-plan.ts';
import { calledText } from '../../../domain/naming/called-text.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { shownName } from '../../../domain/text/shown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { Hunk } from '../../../kubeconfig/edit/change.ts';
import { hunksText } from '../../../kubeconfig/edit/index.ts';
import type { FileEdit } from '../../../kubeconfig/import/prepare.ts';
import { configHunk } from '../../../operations/import/config-hunk.ts';
import { hiddenLines } from '../../../operations/import/hidden-entries.ts';
import { plainSecrets } from '../../../operations/import/plain-secrets.ts';
import { questionHeadings } from '../../../operations/import/questions.ts';
import { table } from '../table.ts';
import { type DoneImport, isHeld, type ShownImport } from './import-json.ts';
import { programsText } from './import-programs.ts';
import { staysText } from './import-stays.ts';

/** Rows and lines shown of what may be thousands; `--json` has all. */
const rowLimit = 40;
const nameLimit = 8;
const diffLineLimit = 120;
const changeLimit = 200;
const longestLine = 160;
/** Room for a path: which file is read has to be seen. */
const longestNote = 1000;

/**
 * The plan for display: what exists, what it becomes, what stays in plain text, what would be asked, each file's
 * diff. `asks`: the questions are shown one by one, not here. `columns`: of the terminal; null: as wide as it is.
 */
export function planText(
  shown: ShownImport,
  { asks = false, columns = null }: { asks?: boolean; columns?: number | null } = {},
): string {
  const { merged, prepared, selection } = shown;
  const { plan } = prepared;
  const programs = programsText(plan);
  return [
    merged.files.map(({ path, text, mode }) => fileLine(path, text, mode)).join('\n'),
    ...(merged.problems.length > 0 ? [problemsText(merged.problems)] : []),
    ...(merged.contexts.size === 0 && merged.problems.length === 0
      ? ['There are no contexts, so there is nothing to import.']
      : []),
    ...(plan.users.length > 0 ? [rows(['USER', 'TYPE', 'ACCOUNT'], plan.users.map(userRow), columns)] : []),
    ...(plan.clusters.length > 0
      ? [rows(['CONTEXT', 'SERVER', 'CLUSTER', 'ACCOUNT'], plan.clusters.map(clusterRow), columns)]
      : []),
    ...hiddenText(shown),
    ...staysText(plan),
    ...(programs === null ? [] : [programs]),
    ...notesText(shown),
    plainText(shown),
    ...(asks ? [] : plan.questions.map(questionText)),
    ...stillHeldTexts(shown),
    ...diffTextsOf(shown),
    ...(selection.inPlace && prepared.files.length > 0
      ? ['The files as they are now go into the vault: lanyard kubeconfig undo restores them.']
      : []),
  ].join('\n\n');
}

/** What was done, and what comes next. `kubectl`: for its clusters; null: nothing. */
export function doneText(result: DoneImport, kubectl: string | null): string {
  const { prepared, selection, managed, warnings } = result;
  // Users may share an account.
  const next = [
    ...new Set(
      prepared.plan.users.flatMap(({ becomes }) =>
        'account' in becomes && becomes.next !== null ? [becomes.next] : [],
      ),
    ),
  ];
  const lines = [
    selection.inPlace
      ? `Edited ${prepared.files.map(({ path }) => path).join(', ') || 'no file'}; lanyard kubeconfig undo restores what was there.`
      : `Wrote ${managed}. ${kept(result)}`,
    ...warnings,
    ...(isHeld(result)
      ? ['There is no terminal here, so what is new is pending until you run: lanyard confirm']
      : []),
    ...(next.length > 0 ? [`Next: ${next.slice(0, rowLimit).join('; ')}`] : []),
    ...(kubectl === null
      ? []
      : [`${kubectl.startsWith('kubectl ') ? 'Use it with' : 'To use it with kubectl'}: ${kubectl}`]),
  ];
  return lines.join('\n');
}

function kept({ merged, prepared, selection }: ShownImport): string {
  if (merged.files.some(({ path }) => isFile(path))) {
    return 'Your files were not changed, and keep their secrets.';
  }
  const { given } = plainSecrets(merged, prepared.plan, selection.inPlace);
  return ['No file was changed.', ...(given > 0 ? [givenSecretsText(given)] : [])].join(' ');
}

function fileLine(path: string, text: string | null, mode: number | null): string {
  if (text === null) {
    return `${path}: not there`;
  }
  const open = mode !== null && (mode & 0o077) !== 0 ? `, open to others (mode ${mode.toString(8)})` : '';
  const size = text === '' ? 'empty' : `${Math.max(1, Math.round(text.length / 1024))} KiB`;
  return `${path}: ${size}${open}`;
}

function problemsText(problems: ShownImport['merged']['problems']): string {
  return problems
    .slice(0, rowLimit)
    .map(
      ({ file, line: at, column, severity, message }) =>
        `${file}${at === null ? '' : `:${at}:${column ?? 1}`}: ${severity}: ${line(message)}`,
    )
    .join('\n');
}

/** What the merge of KUBECONFIG's files leaves out. */
function hiddenText({ merged: { hidden, files }, managed }: ShownImport): string[] {
  if (hidden.length === 0) {
    return [];
  }
  const lines = hiddenLines(hidden, managed);
  const more = lines.length - rowLimit;
  const there = files.filter(({ path, text }) => text !== null && path !== managed);
  const named = there.map(({ path }) => shellWord(path)).join(' ');
  return [
    [
      'Hidden by an earlier file of KUBECONFIG, for kubectl too:',
      ...lines.slice(0, rowLimit).map((each) => `  ${visibleText(each, longestNote)}`),
      ...(more > 0 ? [`  … and ${more} more (--json shows all)`] : []),
      ...(hidden.every(({ isSame }) => isSame)
        ? []
        : [`  To import them as well: lanyard kubeconfig import ${visibleText(named, longestNote)}`]),
    ].join('\n'),
  ];
}

function userRow({ user, description, becomes }: PlannedUser): string[] {
  const what =
    'left' in becomes
      ? 'not imported'
      : `${becomes.account}${becomes.exists ? ' (there already)' : becomes.replaces ? ' (replaces the existing one)' : ''}`;
  return [shownName(user), line(description), line(what)];
}

function clusterRow({ context, server, becomes }: PlannedCluster): string[] {
  const [cluster, account] =
    'left' in becomes
      ? ['not imported', '']
      : [
          `${calledText(becomes.cluster, becomes.value.displayName)}${becomes.exists ? ' (there already)' : was(becomes.replaces)}`,
          becomes.account,
        ];
  return [shownName(context), line(server), line(cluster), line(account)];
}

function was(server: string | null): string {
  return server === null ? '' : ` (in place of the one at ${server})`;
}

function rows(heading: string[], all: string[][], columns: number | null): string {
  const more = all.length - rowLimit;
  const text = table([heading, ...all.slice(0, rowLimit)], columns);
  return more > 0 ? `${text}\n… and ${more} more (--json shows all)` : text;
}

function notesText({ prepared: { plan }, selection }: ShownImport): string[] {
  const notes = [
    ...plan.notes,
    ...(selection.inPlace ? plan.users.flatMap(neededText) : []),
    ...notesByName(plan.users.map(({ user, notes: own }) => ({ name: user, own }))),
    ...notesByName(plan.clusters.map(({ context, notes: own }) => ({ name: context, own }))),
    ...unusedText('cluster', plan.unused.clusters),
    ...unusedText('user', plan.unused.users),
  ];
  if (notes.length === 0) {
    return [];
  }
  const more = notes.length - rowLimit;
  return [
    [
      'Notes:',
      ...notes.slice(0, rowLimit).map((note) => `  ${visibleText(note, longestNote)}`),
      ...(more > 0 ? [`  … and ${more} more (--json shows all)`] : []),
    ].join('\n'),
  ];
}

/** A note that several share, once. */
function notesByName(all: readonly { name: string; own: readonly string[] }[]): string[] {
  const pairs = all.flatMap(({ name, own }) => own.map((note) => ({ name, note })));
  return [...Map.groupBy(pairs, ({ note }) => note)].map(
    ([note, shared]) => `${namesText(shared.map(({ name }) => name))}: ${note}`,
  );
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, nameLimit).map((name) => shownName(name));
  return `${shown.join(', ')}${names.length > nameLimit ? ', …' : ''}`;
}

/** A secret that stays in a file on purpose: says why, so that the user can remove it. */
function neededText({ user, becomes, neededBy }: PlannedUser): string[] {
  if ('left' in becomes || neededBy.length === 0) {
    return [];
  }
  return [
    `${shownName(user)}: kept in the file: still used by what is not imported (${namesText(neededBy)}); the rest gets its own entries`,
  ];
}

function unusedText(what: string, names: readonly string[]): string[] {
  return names.length === 0
    ? []
    : [`no context uses the ${what}${names.length === 1 ? '' : 's'} ${namesText(names)}`];
}

/** What a question is about. */
export function questionText({ kind, lines }: PlanQuestion): string {
  return [
    `Asked for: ${questionHeadings[kind]}`,
    // All of them, in full: the user can't agree to what isn't shown.
    ...lines.map((each) => `  ${visibleText(each, 4000)}`),
  ].join('\n');
}

/** Which secrets lie in plain text on this disk now, and which would after. */
function plainText({ merged, prepared: { plan }, selection }: ShownImport): string {
  const { now, after, given } = plainSecrets(merged, plan, selection.inPlace);
  const ofText = given > 0 ? [givenSecretsText(given)] : [];
  if (now.length === 0 && given > 0) {
    return givenSecretsText(given);
  }
  if (now.length === 0) {
    return merged.problems.some(({ severity }) => severity === 'error')
      ? 'Unreadable files were not checked.'
      : 'No plain-text secrets found.';
  }
  const why = selection.inPlace
    ? ''
    : ': the old copies are still in the old files (--in-place takes them out)';
  const list = (secrets: readonly PlainSecret[]) => [
    ...secrets.slice(0, rowLimit).map((each) => `  ${line(placeText(each))}`),
    ...(secrets.length > rowLimit ? [`  … and ${secrets.length - rowLimit} more`] : []),
  ];
  return [
    `Secrets in plain text now: ${now.length}`,
    ...list(now),
    `After the import: ${after.length}${plan.questions.length === 0 ? '' : ', if you agree to all of it'}${why}`,
    ...(selection.inPlace ? list(after) : []),
    ...ofText,
  ].join('\n');
}

function placeText({ what, file, line: at }: PlainSecret): string {
  return `${what}, ${file}${at === null ? '' : `:${at}`}`;
}

function stillHeldTexts({ prepared: { files } }: ShownImport): string[] {
  return files
    .filter(({ stillHolds }) => stillHolds.length > 0)
    .map(
      ({ path, stillHolds }) =>
        `Under an anchor (&) ${path} goes on holding a secret of ${stillHolds.join(', ')}: take it out by hand.`,
    );
}

function diffTextsOf({ prepared, config }: ShownImport): string[] {
  // Each entry has at least one line: no one reads those beyond the limit, and thousands take time.
  const inConfig = configHunk(prepared.edits.slice(0, diffLineLimit), prepared.seen);
  const beyond = prepared.edits.length - diffLineLimit;
  const more = beyond > 0 ? [`… and ${beyond} more entries of ${config} (--json shows all)`] : [];
  return [
    ...(inConfig === null ? [] : [[...shortDiff([inConfig], config), ...more].join('\n')]),
    ...prepared.files.map(fileDiff),
  ];
}

/** No one reads a difference of thousands of entries, and it takes a second to mask its secrets. */
function fileDiff(edit: FileEdit): string {
  return edit.changes > changeLimit
    ? `${edit.path}: ${counted(edit.changes, 'entry')} ${edit.changes === 1 ? 'changes' : 'change'} (--json shows each)`
    : shortDiff(edit.hunks, edit.path).join('\n');
}

function shortDiff(hunks: readonly Hunk[], file: string): string[] {
  const lines = hunksText(hunks, { file }).trimEnd().split('\n');
  const more = lines.length - diffLineLimit;
  return [
    ...lines.slice(0, diffLineLimit).map((each) => line(each)),
    ...(more > 0 ? [`… and ${more} more lines`] : []),
  ];
}

/** A line from outside: nothing unseen in it, and not too long. */
function line(text: string): string {
  return visibleText(text, longestLine);
}
