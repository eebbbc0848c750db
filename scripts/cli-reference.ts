import { type CommandTable, readCommandTable } from './command-table.ts';
import { cellCode, markdownTable, markdownText } from './markdown-text.ts';

/** docs/guide/cli.md: every command, in the order of `lanyard help`, and the exit codes. */
export function cliReference(): string {
  const { commands, exitCodes } = readCommandTable();
  return `${[
    '<!-- Made by npm run generate from main/contract/commands.json. Do not edit. -->',
    '',
    '# Command line reference',
    '',
    'Run `lanyard help COMMAND` to read the same text in a terminal. As a kubectl plugin, the program is `kubectl lanyard COMMAND`. `docs/lanyard.1` is the manual page.',
    '',
    ...markdownTable(
      ['Command', 'Purpose'],
      commands.map(({ name, summary }) => [`[\`lanyard ${name}\`](#${anchor(name)})`, markdownText(summary)]),
    ),
    '',
    'See also: [exit codes](#exit-codes).',
    '',
    ...commands.flatMap(commandLines),
    '## Exit codes',
    '',
    ...markdownTable(
      ['Code', 'Meaning'],
      exitCodes.map(([code, meaning]) => [String(code), markdownText(meaning)]),
    ),
  ].join('\n')}\n`;
}

function commandLines({ name, usage, summary, options, notes }: CommandTable['commands'][number]): string[] {
  return [
    `## lanyard ${name}`,
    '',
    `${markdownText(summary)}.`,
    '',
    ...usage.split('\n').map((line) => `    ${line.trim()}`),
    '',
    ...(options.length === 0
      ? []
      : [
          ...markdownTable(
            ['Option', 'Meaning'],
            options.map(([option = '', said = '']) => [cellCode(option), markdownText(said)]),
          ),
          '',
        ]),
    ...notes.flatMap((note) => {
      const [text = '', ...code] = note.split('\n');
      const block = code.length === 0 ? [] : ['', ...code.map((line) => `    ${line.trim()}`)];
      return [markdownText(text), ...block, ''];
    }),
  ];
}

/** GitHub's anchor of `## lanyard NAME`. */
function anchor(name: string): string {
  return `lanyard-${name.replaceAll(' ', '-')}`;
}
