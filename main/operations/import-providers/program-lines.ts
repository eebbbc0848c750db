import { type ProgramFacts, programLines } from '../../domain/program/program.ts';
import { shellWord } from '../../domain/text/shell-line.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** Of a variable’s value: that it goes on is seen. */
const longestValue = 300;

/** What the user has to see of a new plugin: its complete command line, the file, and its variables without secrets. */
export function pluginProgramLines(
  plugin: {
    command?: string | undefined;
    args?: readonly string[] | undefined;
    env?: readonly { name: string; value?: string | undefined }[] | undefined;
  },
  program: ProgramFacts,
): [command: string, ...facts: string[]] {
  const line = [plugin.command ?? '', ...(plugin.args ?? [])].map(shellWord).join(' ');
  const variables = (plugin.env ?? []).map(({ name, value }) =>
    value === undefined
      ? `${name} (in the vault)`
      : `${name}=${shellWord(value.length > longestValue ? `${value.slice(0, longestValue)}…` : value)}`,
  );
  return [
    // Complete: a cut would let it run unseen.
    visibleText(line, Infinity),
    ...programLines(program),
    ...(variables.length === 0 ? [] : [visibleText(`variables ${variables.join(', ')}`, Infinity)]),
  ];
}
