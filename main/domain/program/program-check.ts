import { wordFor } from '../text/shell-line.ts';
import { visibleText } from '../text/visible-text.ts';
import { type Program, type ProgramFacts, programLines, programWords, writersText } from './program.ts';

/** The program of an account as the user approved it (rule: confirmed-binding). */
export interface BoundProgram {
  /** Where it was found. The target of a link there may change, as with each update: `pin` is for that. */
  path: string;
  /** SHA-256 in hex of the program that ran; null: it could not be read. */
  sha256: string | null;
}

/** By account, the program that the user was shown and approved with it; null: there was none. */
export type SeenPrograms = Readonly<Record<string, BoundProgram | null>>;

/** Why a program may not be run: others can write it, it is another one, or (with `pin`) it has changed. */
export type ProgramFault = 'unsafe' | 'moved' | 'changed';

/** What the user would approve of what is there now; null: there is nothing to run. */
export function bindingOf(facts: ProgramFacts): BoundProgram | null {
  return facts.kind === 'program' ? { path: facts.path, sha256: facts.sha256 } : null;
}

/** The same for many, by account. */
export function bindingsOf(found: ReadonlyMap<string, ProgramFacts>): Record<string, BoundProgram | null> {
  return Object.fromEntries([...found].map(([name, facts]) => [name, bindingOf(facts)]));
}

/** Null: this check allows it to run. `bound` null: none was approved yet. */
export function programFault(
  program: Program,
  bound: BoundProgram | null,
  pin: boolean,
): ProgramFault | null {
  if (program.writers !== null && program.writers.length > 0) {
    return 'unsafe';
  }
  if (bound === null) {
    return null;
  }
  if (bound.path !== program.path) {
    return 'moved';
  }
  return pin && (bound.sha256 === null || bound.sha256 !== program.sha256) ? 'changed' : null;
}

/** An account's program now, beside the approved one. */
export interface ProgramCheck {
  facts: ProgramFacts;
  bound: BoundProgram | null;
  fault: ProgramFault | null;
}

/** A program that is pending: it isn't run until it is approved. */
export interface ChangedProgram {
  account: string;
  change: 'moved' | 'changed';
  before: BoundProgram;
  now: Program;
}

/** Null: nothing that an approval would fix. */
export function changedProgram(
  account: string,
  { facts, bound, fault }: ProgramCheck,
): ChangedProgram | null {
  if (facts.kind !== 'program' || bound === null || fault === null || fault === 'unsafe') {
    return null;
  }
  // A pin without a readable file has nothing to compare.
  return fault === 'changed' && facts.sha256 === null
    ? null
    : { account, change: fault, before: bound, now: facts };
}

export function unsafeText(program: Program): string {
  const why = writersText(program) ?? 'others can write it';
  return `${visibleText(program.path)} is not ${programWords(program).used}: ${visibleText(why)}`;
}

/** How the user sees who else can write it. */
export function lookAtWriters(
  { writers, path }: Program,
  platform: NodeJS.Platform = process.platform,
): string {
  const where = visibleText(wordFor(writers?.[0]?.path ?? path, platform));
  return `look: ${platform === 'win32' ? 'icacls' : 'ls -ld'} ${where}`;
}

export function unpinnableText({ path }: Program): string {
  return `${visibleText(path)} can’t be read, or is larger than 1 GiB: what can’t be compared can’t be pinned`;
}

export function unpinnableHint(program: Program): string {
  const { noun } = programWords(program);
  return program.isLibrary
    ? `make the ${noun} readable`
    : `take pin: true out of the account, or make the ${noun} readable`;
}

/** What has changed, for display: `program of eks (changed)`, `module of card (changed)`, then `-` and `+` as for a change of config.yaml. */
export function changedProgramLines({ account, change, before, now }: ChangedProgram): string[] {
  const was = `${visibleText(before.path, Infinity)}, SHA-256 ${before.sha256 ?? 'unknown'}`;
  const [first = '', ...more] = programLines(now);
  return [
    `${programWords(now).noun} of ${account} (${change})`,
    `  - ${was}`,
    `  + ${first}`,
    ...more.map((line) => `    ${line}`),
  ];
}

/** For programs. */
export function changedProgramJson({ account, change, before, now }: ChangedProgram) {
  const { path, target, sha256, owner } = now;
  return {
    what: programWords(now).noun,
    name: account,
    change,
    before,
    now: { path, target, sha256, owner },
  };
}
