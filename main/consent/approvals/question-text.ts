import { visibleText } from '../../domain/text/visible-text.ts';
import type { Caller } from '../../ports/caller.ts';
import type { QuestionAbout } from './question-board.ts';

/** The requester, as the user is shown it. */
export interface RequestOrigin {
  caller: Caller;
  /** Names of the caller and of the processes above it, nearest first. */
  lineage: readonly string[];
}

/** How a value from outside is shown where it is alone: on a terminal's line, or in a cell of a page or window. */
export type ShowValue = (text: string, maxCharacters?: number) => string;

/**
 * Text from outside within a question: one line, in quotes, so that it can't pass for a line of the question itself.
 * Cut in the middle: both ends of a path or an address matter.
 */
export const quoted: ShowValue = (text, maxCharacters) =>
  `"${inCell(text, maxCharacters).replaceAll('"', '\\"')}"`;

/** The same in a cell of a table, which shows where it ends. */
export const inCell: ShowValue = (text, maxCharacters = 256) => {
  const half = Math.floor(maxCharacters / 2);
  const short = text.length > maxCharacters ? `${text.slice(0, half)}…${text.slice(-half)}` : text;
  return visibleText(short, maxCharacters + 1);
};

export type Row = readonly [label: string, value: string];

/** The lines of a question, with the labels in one column. */
export function labelled(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}\n`).join('');
}

const origins: Readonly<Record<Caller['origin'], string>> = {
  local: 'this machine',
  ssh: 'an SSH session',
  container: 'a container, or somewhere else that can’t be looked into',
};

/** The rows about the requester. */
export function originRows({ caller, lineage }: RequestOrigin, show: ShowValue): Row[] {
  const doubt = caller.sure ? '' : ', which ended or changed meanwhile';
  return [
    ['program', caller.executable === null ? 'unknown' : show(caller.executable)],
    ...(caller.pid > 0 ? [['process', `${caller.pid}${doubt}`] as const] : []),
    ...(lineage.length > 0 ? [['run by', lineage.map(nameText).join(' ← ')] as const] : []),
    ['from', origins[caller.origin]],
  ];
}

/** A process's name: unquoted where it is a plain word, in quotes where it could contain an arrow. */
function nameText(name: string): string {
  return /^[\w.:@+/() -]+$/.test(name) ? name : quoted(name, 64);
}

/** Anything else is a No. */
export function isYes(line: string): boolean {
  return /^y(es)?$/i.test(line.trim());
}

/** The requester, as pages show it: one line each, without invisible characters. */
export function callerView({ caller, lineage }: RequestOrigin): QuestionAbout['caller'] {
  const { executable, pid, origin, sure } = caller;
  return {
    lineage: lineage.map((name) => visibleText(name, 64)),
    executable: executable === null ? null : visibleText(executable, 1024),
    pid,
    origin,
    sure,
  };
}
