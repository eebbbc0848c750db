import type { ProgramFacts } from '../../domain/program/program.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { hunksText } from '../../kubeconfig/edit/index.ts';
import type { ApplicableImport } from '../../kubeconfig/import/apply.ts';
import { configHunk } from '../../operations/import/config-hunk.ts';
import { pluginProgramLines } from '../../operations/import-providers/program-lines.ts';

/** Of the difference of config.yaml. `--json` has all. */
const mostDiffLines = 200;

/** A program that a new account would run. */
export interface NewProgram {
  account: string;
  plugin: Parameters<typeof pluginProgramLines>[0];
  program: ProgramFacts;
}

/** The part of a plan with what would run; none where nothing would. */
export function programsText(programs: readonly NewProgram[]): string[] {
  return programs.length === 0
    ? []
    : [['Programs that Lanyard would run:', ...programs.flatMap(linesOf)].join('\n')];
}

function linesOf({ account, plugin, program }: NewProgram): string[] {
  const [line, ...facts] = pluginProgramLines(plugin, program);
  return [`  ${account}: ${line}`, ...facts.map((fact) => `    ${fact}`)];
}

/** The part of a plan with what to know. */
export function notesText(notes: readonly string[]): string[] {
  return notes.length === 0
    ? []
    : [['Notes:', ...notes.map((note) => `  ${visibleText(note, 1000)}`)].join('\n')];
}

/** The part of a plan with the difference of config.yaml. */
export function configDiffText(
  { edits, seen }: Pick<ApplicableImport, 'edits' | 'seen'>,
  file: string,
): string[] {
  const hunk = configHunk(edits, seen);
  if (hunk === null) {
    return [];
  }
  const lines = hunksText([hunk], { file }).trimEnd().split('\n');
  const more = lines.length - mostDiffLines;
  return [[...lines.slice(0, mostDiffLines), ...(more > 0 ? [`… and ${more} more lines`] : [])].join('\n')];
}
