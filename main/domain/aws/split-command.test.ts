import { expect, test } from 'vitest';
import { splitCommand } from './split-command.ts';

/** As Python’s shlex.split, which botocore uses for credential_process. */
test.each<[string, string[] | null]>([
  ['/opt/bin/keys --profile work', ['/opt/bin/keys', '--profile', 'work']],
  ['  a\t b  ', ['a', 'b']],
  [`"/opt/my bin/keys" 'a "b"' c"d"e`, ['/opt/my bin/keys', 'a "b"', 'cde']],
  ['a\\ b "c\\"d\\\\e\\n" \'f\\g\'', ['a b', 'c"d\\e\\n', 'f\\g']],
  [`a "" ''`, ['a', '', '']],
  ['$HOME ~ | > ;', ['$HOME', '~', '|', '>', ';']],
  ['', []],
  ['a "b', null],
  ["a 'b", null],
  ['a \\', null],
])('%j', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});
