import { describe, expect, it } from 'vitest';
import { parseWords } from './command.ts';

describe('the words of a command', () => {
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
  ])('%s', (_, positionals, args, fault) => {
    const parse = () => parseWords('x', args, positionals, {}).positionals;
    if (fault === null) {
      expect(parse()).toEqual(args);
    } else {
      expect(parse).toThrow(fault);
    }
  });
});
