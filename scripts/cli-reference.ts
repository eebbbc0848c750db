import { type CommandRow, optionText, readCommandTable } from './command-table.ts';
import { cellCode, markdownTable, markdownText } from './markdown-text.ts';

/** docs/guide/cli.md: every command, in the groups of `lanyard help`, and the exit codes. */
export function cliReference(): string {
  const { commands, groups, exitCodes } = readCommandTable();
  return `${[
    '<!-- Made by npm run generate from main/contract/commands.json. Do not edit. -->',
    '',
    '# Command line reference',
    '',
    'Run `lanyard help COMMAND` to read the same text in a terminal. As a kubectl plugin, the program is `kubectl lanyard COMMAND`. `docs/lanyard.1` is the manual page.',
    '',
    ...groups.flatMap(({ title, commands: words }) => [
      `**${title}**`,
      '',
      ...markdownTable(
        ['Command', 'Purpose'],
        words
          .flatMap((word) => commands.filter(({ name }) => name === word || name.startsWith(`${word} `)))
          .map(({ name, summary }) => [`[\`lanyard ${name}\`](#${anchor(name)})`, markdownText(summary)]),
      ),
      '',
    ]),
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

function commandLines({ name, usage, summary, options, examples = [], notes }: CommandRow): string[] {
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
            options.map((each) => [cellCode(each.option), markdownText(optionText(each))]),
          ),
          '',
        ]),
    ...(examples.length === 0
      ? []
      : ['Examples:', '', ...examples.map(([line = '', about = '']) => `    ${line}   # ${about}`), '']),
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
