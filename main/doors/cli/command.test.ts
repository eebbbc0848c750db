import { expect, it } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { askYes, parseWords } from './command.ts';
import { commandCall } from './testing/command-call.ts';

it.each<[string, string[], string[], string | null]>([
  ['one that is needed', ['NAME'], ['a'], null],
  ['one that is missing', ['NAME'], [], 'x: missing argument: NAME'],
  ['one too many', ['NAME'], ['a', 'b'], 'x: unexpected argument "b"'],
  ['one that may be left out, left out', ['[NAME]'], [], null],
  ['one that may be left out, given', ['[NAME]'], ['a'], null],
  ['one beyond it', ['[NAME]'], ['a', 'b'], 'x: unexpected argument "b"'],
  ['any number, none', ['[FILE …]'], [], null],
  ['any number, three', ['[FILE …]'], ['a', 'b', 'c'], null],
  ['a needed one before any number', ['NAME', '[FILE …]'], [], 'x: missing argument: NAME'],
])('the words of a command: %s', (_, positionals, args, fault) => {
  const parse = () => parseWords('x', args, positionals, {}).positionals;
  if (fault === null) {
    expect(parse()).toEqual(args);
  } else {
    expect(parse).toThrow(fault);
  }
});

it.each<[string, (string | null)[], boolean, boolean, string]>([
  ['y', ['y'], false, true, ''],
  ['Yes, with spaces', [' Yes '], false, true, ''],
  ['nothing', [''], false, false, ''],
  ['no', ['no', 'y'], false, false, ''],
  ['an end of the input', [null, 'y'], false, false, ''],
  ['neither, then y', ['what', 'y'], false, true, 'Type y or n.\n'],
  ['neither, three times', ['a', 'b', 'c', 'y'], false, false, 'Type y or n.\nType y or n.\n'],
  ['y where the whole word counts, then yes', ['y', 'yes'], true, true, 'Type yes in full, or no.\n'],
  ['y where the whole word counts, then n', ['y', 'n'], true, false, 'Type yes in full, or no.\n'],
])('a yes or no: %s', async (_, answers, wholeWord, expected, printed) => {
  const call = commandCall([]);
  const left = [...answers];
  let text = '';
  const terminal = {
    ...call.terminal,
    print: (more: string) => {
      text += more;
    },
    ask: async () => {
      const answer = left.shift() ?? null;
      return answer === null ? null : new Secret(answer);
    },
  };
  expect(await askYes({ terminal }, 'Remove it?', { wholeWord })).toBe(expected);
  expect(text).toBe(printed);
});
