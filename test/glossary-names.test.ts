import { expect, it } from 'vitest';
import { unknownNames } from '../scripts/glossary-names.ts';

const glossary = (seenIn: string) => `# Glossary

| term | what it is | instead of | seen in | stored as |
| --- | --- | --- | --- | --- |
| **grant** | A \`Thing\` | \`Old\` | ${seenIn} | \`held\` |
`;
const code = new Set(['Grant', 'generation', 'healthOf']);

it('passes names that the code has, and what is no name', () => {
  expect(
    unknownNames(glossary('`Grant`, `Grant.generation`, `healthOf()`; `main/doors`, `lanyard agent`'), code),
  ).toEqual([]);
});

it.each([
  ['`Grants`', 'Grants'],
  ['`Grant`, `ClusterProbe`', 'ClusterProbe'],
  ['`Grant.age`', 'Grant.age'],
])('reports a name that isn’t in the code: %s', (seenIn, name) => {
  expect(unknownNames(glossary(seenIn), code)).toEqual([`docs/GLOSSARY.md:5: the code has no ${name}`]);
});
