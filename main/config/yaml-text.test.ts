import { describe, expect, test } from 'vitest';
import { parseYamlText } from './yaml-text.ts';

const faultsOf = (text: string) =>
  parseYamlText(text).faults.map(({ place, message }) => `${place.line}:${place.column} ${message}`);

test.each([
  ['at the top', 'a: 1\nb: 2\na: 3\n', ['3:1']],
  ['further down, in a list', 'x:\n  - a: 1\n    b: 2\n    a: 3\n', ['4:5']],
  ['between braces', 'x: { a: 1, a: 2 }\n', ['1:12']],
  ['quoted once', 'a: 1\n"a": 2\n', ['2:1']],
  ['three times', 'a: 1\na: 2\na: 3\n', ['2:1', '3:1']],
  ['in several places', 'x: { a: 1, a: 2 }\ny: { a: 1 }\nx: 2\n', ['1:12', '3:1']],
])('a key that stands twice %s is a fault at its place', (_name, text, places) => {
  expect(faultsOf(text)).toEqual(places.map((place) => `${place} map keys must be unique`));
});

test('the same key in two mappings is none, nor is a number beside its text', () => {
  expect(faultsOf('x: { a: 1 }\ny: { a: 1 }\n1: a\n"1": b\n')).toEqual([]);
});

test('faults come in the order of their places', () => {
  expect(faultsOf('a: 1\na: 2\nb: "\\q"\n').map((fault) => fault.slice(0, 3))).toEqual(['2:1', '3:5']);
});

describe('what would keep the broker busy for long is refused at once', () => {
  const many = 260_000;
  test.each([
    ['lines', `version: 1\n${'\n'.repeat(many)}`, '250000:1'],
    ['items', `a: [${'x,'.repeat(many)}]\n`, '1:500002'],
    ['keys', `{${'a:'.repeat(many)}}\n`, '1:500001'],
  ])('%s', (_name, text, place) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(`${place} too many entries`)]);
    expect(parseYamlText(text).placeOf(['a'], 'value')).toEqual({ line: 1, column: 1 });
  });

  test('anchors and aliases', () => {
    const text = (count: number) =>
      `a: [${Array.from({ length: count }, (_, index) => `&a${index} x, *a${index}`).join(', ')}]\n`;
    expect(faultsOf(text(1000))).toEqual([]);
    expect(faultsOf(text(1001))).toEqual(['1:1 more than 2000 anchors (&) and aliases (*)']);
  });

  test('but a long text alone is not', () => {
    expect(faultsOf(`a: ${'x'.repeat(4 * many)}\n`)).toEqual([]);
  });
});
