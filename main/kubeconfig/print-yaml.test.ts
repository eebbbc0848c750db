import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { printYaml } from './print-yaml.ts';

const texts = [
  '',
  ' ',
  'on',
  '1_0',
  '0x1f',
  '~',
  'a: b',
  '# x',
  '- x',
  'two\nlines\n',
  '\ttab',
  'quote " and \\',
  'ü',
  '🦊',
  '\u0085\u2028\u2029\x7f\x00\ufeff',
  '\ud800',
];

test.each(['1.1', '1.2'] as const)('what is printed is read as what it was, in YAML %s', (version) => {
  const value = {
    texts,
    keys: Object.fromEntries(
      ['plain', 'with-dash', 'on', 'Null', 'Y', '1', '', 'a b', 'a:b', '<<', '🦊', '-'].map((key) => [
        key,
        key,
      ]),
    ),
    scalars: [null, true, false, 0, -1, 1.5, 1e21, 12345678901234, Infinity, -Infinity],
    empty: { list: [], map: {} },
    nested: [[1, [2, ['3']]], [{ a: [{ b: 1, c: [] }] }, {}], { a: { b: { c: 'd' } }, e: [] }],
  };
  expect(parse(printYaml(value), { version })).toEqual(value);
});

test('all of it is printable ASCII where YAML wants that, and a text is on one line', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those must not be there
  expect(printYaml({ texts })).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]/);
  expect(printYaml({ texts }).split('\n')).toHaveLength(texts.length + 2);
});

test('blocks as kubectl writes them, what is undefined left out', () => {
  const value = { a: [{ name: 'x', none: undefined, b: { c: true } }], d: undefined, e: { f: undefined } };
  expect(printYaml(value)).toBe('a:\n  - name: "x"\n    b:\n      c: true\ne: {}\n');
});
