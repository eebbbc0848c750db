import { counted } from '../../contract/ui/count-text.ts';
import type { ImportPlan, PlannedProgram } from '../../domain/import/import-plan.ts';
import { shellWord } from '../../domain/text/shell-line.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** Of a variable's value: that it goes on is seen. */
const longestValue = 300;

/** What new accounts would run, an account each. */
export function programsOf({ users }: Pick<ImportPlan, 'users'>): Map<string, PlannedProgram> {
  const programs = new Map<string, PlannedProgram>();
  for (const { becomes } of users) {
    if ('account' in becomes && !becomes.exists && becomes.program && !programs.has(becomes.account)) {
      programs.set(becomes.account, becomes.program);
    }
  }
  return programs;
}

/** What the user has to see of it: its complete command line, the file, and what shapes a run. Three lines. */
export function programFactLines(program: PlannedProgram): string[] {
  const { command, path, target, owner, sha256, interpreter, args, env } = program;
  const leads = target === path || target === null ? '' : ` -> ${target}`;
  const script = interpreter === null ? '' : `, a script for ${interpreter}`;
  const file =
    path === null
      ? 'not there now'
      : `${path}${leads}${script}, owner ${owner ?? 'unknown'}, SHA-256 ${sha256 ?? 'unknown: it can’t be read'}`;
  const variables = env.map(({ name, value }) =>
    value === null
      ? `${name} (in the vault)`
      : `${name}=${shellWord(value.length > longestValue ? `${value.slice(0, longestValue)}…` : value)}`,
  );
  const more = [
    `interactiveMode ${program.interactiveMode}`,
    ...(variables.length === 0 ? [] : [`variables ${variables.join(', ')}`]),
    ...(program.provideClusterInfo ? ['it is told the cluster'] : []),
    ...(program.searchPathFolders === 0 ? [] : [`PATH of ${counted(program.searchPathFolders, 'folder')}`]),
  ];
  // Complete: a cut would let it run unseen.
  return [[command, ...args].map(shellWord).join(' '), file, more.join('; ')].map((line) =>
    visibleText(line, Infinity),
  );
}
