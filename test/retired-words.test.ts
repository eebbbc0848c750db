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

it.each([
  ['a document', 'a.md', '# A\n\nIt is handed out to `x`.\n'],
  ['a help text', 'a.json', '{\n"a": "b",\n"c": "A variable of yours"\n}'],
  ['a text in Rust', 'a.rs', '// x\n\nlet a = "nobody \\"is\\" asked";\n'],
  ['a text of two lines in Rust', 'a.rs', '\n\nlet a = "it renews by \\\n  itself";\n'],
])('finds a retired word in %s', (_, path, text) => {
  expect(wordFaults(path, text)).toEqual([expect.stringMatching(/^a\.\w+:3: .* was retired/)]);
});

it.each([
  ['what a document quotes', 'a.md', 'Stored as `put back`.\n\n```\nnobody waits\n```\n'],
  ['a comment in Rust', 'a.rs', '// "nobody waits"\nlet a = \'"\'; // nobody waits "\n'],
  ['a test in Rust', 'a.rs', 'fn a() {}\n#[cfg(test)]\nmod tests {\n  let a = "nobody waits";\n}\n'],
])('passes %s', (_, path, text) => {
  expect(wordFaults(path, text)).toEqual([]);
});
