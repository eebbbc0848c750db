import type { ImportPlan, PlannedProgram } from '../../domain/import-plan.ts';
import { shellWord } from '../../domain/shell-line.ts';
import { visibleText } from '../../domain/visible-text.ts';

/** Accounts shown of what may be thousands; `--json` has all. */
const accountLimit = 40;
/** Of a variable's value: that it goes on is seen. */
const longestValue = 300;

/** What new accounts would run, an account each; null: none runs anything. */
export function programsText({ users }: ImportPlan): string | null {
  const programs = new Map<string, PlannedProgram>();
  for (const { becomes } of users) {
    if ('account' in becomes && !becomes.exists && becomes.program && !programs.has(becomes.account)) {
      programs.set(becomes.account, becomes.program);
    }
  }
  const more = programs.size - accountLimit;
  const shown = [...programs].slice(0, accountLimit);
  return programs.size === 0
    ? null
    : [
        'Programs that Lanyard would run:',
        ...shown.flatMap(([account, program]) => programLines(account, program)),
        ...(more > 0 ? [`  … and ${more} more (--json shows all)`] : []),
      ].join('\n');
}

function programLines(account: string, program: PlannedProgram): string[] {
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
    ...(program.searchPathFolders === 0 ? [] : [`PATH of ${count(program.searchPathFolders, 'folder')}`]),
  ];
  return [
    `  ${account}: ${[command, ...args].map(shellWord).join(' ')}`,
    `    ${file}`,
    `    ${more.join('; ')}`,
  ].map((line) => visibleText(line, Infinity)); // whole: what a cut would hide would be run unseen
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
