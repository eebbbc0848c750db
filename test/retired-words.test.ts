import { expect, it } from 'vitest';
import { wordFaults } from '../scripts/retired-words.ts';

it.each([
  ['a text', `const a = 'nothing is handed out';`],
  ['a template', 'const a = `it renews by itself`;'],
  ['what a page shows', 'const a = <p>Put it back now</p>;'],
  ['a name', 'interface Thing { a: 1 }'],
  ['a private name', 'class A { #handOut() {} }'],
])('finds a retired word in %s', (_, text) => {
  expect(wordFaults('a.tsx', text)).toEqual([expect.stringMatching(/^a\.tsx:1: .* was retired/)]);
});

it.each([
  ['a comment', '// nobody waits'],
  ['a code on the wire', `const a = 'held';`],
  ['the glossary’s terms', `const a = 'issued by you, automatically';`],
])('passes %s', (_, text) => {
  expect(wordFaults('a.ts', text)).toEqual([]);
});
