import { describe, expect, test } from 'vitest';
import { readIni } from './ini.ts';

const plain = (text: string) => {
  const read = readIni(text);
  return read.ok
    ? Object.fromEntries([...read.sections].map(([name, options]) => [name, Object.fromEntries(options)]))
    : read;
};

/** Each as Python 3.13’s configparser.RawConfigParser reads it. */
describe('an INI file of the AWS tools', () => {
  test.each<[what: string, text: string, sections: object]>([
    ['spaces around names and values', '[a]\nx = 1\ny=2\n z : 3 \n', { a: { x: '1', y: '2\nz : 3' } }],
    ['names in lower case', '[a]\nAWS_Key = A', { a: { aws_key: 'A' } }],
    ['the first = or : ends the name', '[a]\nx = b=c:d\ny:e=f', { a: { x: 'b=c:d', y: 'e=f' } }],
    ['# and ; begin a comment as a line’s first', '# c\n[a]\n; c\nx = 1 # 2 ; 3', { a: { x: '1 # 2 ; 3' } }],
    [
      'what is indented goes on with the option above',
      '[a]\nx = 1\n\n  more\n# c\n  again',
      { a: { x: '1\n\nmore\nagain' } },
    ],
    ['a section that is indented, too', '[a]\nx = 1\n [b]\ny=1', { a: { x: '1\n[b]', y: '1' } }],
    ['options of one indent', '[a]\n  x = 1\n  y = 2', { a: { x: '1', y: '2' } }],
    [
      'an option with settings of its own',
      '[a]\ns3 =\n  q=1\n  r = 2\nx = 3',
      { a: { s3: '\nq=1\nr = 2', x: '3' } },
    ],
    [
      '[DEFAULT] counts everywhere',
      '[DEFAULT]\nz = 9\n[a]\nx=1\n[b]\nz=2',
      { a: { z: '9', x: '1' }, b: { z: '2' } },
    ],
    ['what follows a section’s name', '[a] trailing\nx=1', { a: { x: '1' } }],
    ['an empty value, and lines of Windows', '[a]\r\nx =\r\ny = 2\r\n', { a: { x: '', y: '2' } }],
    ['nothing', '', {}],
  ])('%s', (_, text, sections) => {
    expect(plain(text)).toEqual(sections);
  });

  test.each<[text: string, line: number, fault: string]>([
    ['x = canary', 1, 'stands before the first section'],
    ['[a]\n\nx = 1\n[a]', 4, 'begins a section that was there already'],
    ['[a]\nx = canary\nX = canary', 3, 'sets what this section has set already'],
    ['[a]\ncanary', 2, 'is neither NAME = VALUE nor a section'],
    ['[a]\n= canary', 2, 'is neither NAME = VALUE nor a section'],
    ['[DEFAULT]\nx=1\n[DEFAULT]\nx=2', 4, 'sets what this section has set already'],
  ])('%j is refused, and nothing of it is repeated', (text, line, fault) => {
    expect(plain(text)).toEqual({ ok: false, line, fault });
  });

  test('a megabyte of one line takes no time that shows', () => {
    expect(plain(`[a]\nx = ${' '.repeat(1 << 20)}y\n${'z'.repeat(1 << 20)}`)).toMatchObject({ line: 3 });
  });
});
