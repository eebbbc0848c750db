import { describe, expect, test } from 'vitest';
import { citationFaults, type ProjectFile } from '../scripts/citations.ts';

const rules = `# Rules

### known-server

It is known.

- Enforced in: \`main/find.ts\`. See [ADR 1](adr/1.md).
- Shown by: \`main/find.test.ts\`.
`;
const kep = `| name | what | section | shown by |
| --- | --- | --- | --- |
| \`rotation\` | It rotates. | Goals | \`main/find.test.ts\` |
`;
const good = {
  'docs/RULES.md': rules,
  'docs/kep-541.md': kep,
  'main/find.ts': '/** Finds it (rule: known-server). */\n',
  'main/find.test.ts': "test('KEP-541/rotation: is found (rule: known-server)', () => {});\n",
};

function faultsOf(changes: Record<string, string>): string[] {
  const texts: Record<string, string> = { ...good, ...changes };
  const files: ProjectFile[] = Object.entries(texts).map(([path, text]) => ({ path, text }));
  return citationFaults(files, (path) => path in texts);
}

describe('citations', () => {
  test('that all lead somewhere are good', () => {
    expect(faultsOf({ 'main/x.ts': '// as an X11 server (rule: known-server), E2E\n' })).toEqual([]);
  });

  test.each([
    ['a rule that there isn’t', '// (rule: known-sever)', 'main/x.ts:1: no rule is named known-sever'],
    [
      'a second rule that there isn’t',
      '\n// (rule: known-server, none)',
      'main/x.ts:2: no rule is named none',
    ],
    ['no name', '// (rule: )', 'main/x.ts:1: no rule is named here'],
    ['a row that there isn’t', '// KEP-541/turning', 'main/x.ts:1: no row is named KEP-541/turning'],
    ['another KEP', '// KEP-2133/rotation', 'main/x.ts:1: no row is named KEP-2133/rotation'],
    ['a number', '// as rule 8 says', 'main/x.ts:1: cite by name, on one line: rule 8'],
    ['numbers', '// (rules 9 and 10)', 'main/x.ts:1: cite by name, on one line: rules 9'],
    ['a number with a hyphen', '// see rule-8', 'main/x.ts:1: cite by name, on one line: rule-8'],
    ['no space', '// (rule:known-server)', 'main/x.ts:1: cite by name, on one line: (rule:'],
    ['a capital', '// (Rule: known-server)', 'main/x.ts:1: cite by name, on one line: (Rule:'],
    ['the first of two ids', '// (E16 and so)', 'main/x.ts:1: cite by name, on one line: E16'],
    ['an id', "test('E04: a', f);", 'main/x.ts:1: cite by name, on one line: E04'],
    ['an id of another list', '// (K02)', 'main/x.ts:1: cite by name, on one line: K02'],
    ['two lines', '// it is (rule:\n// known-server)', 'main/x.ts:1: cite by name, on one line: (rule:'],
  ])('of %s are reported', (_, text, fault) => {
    expect(faultsOf({ 'main/x.ts': text })).toEqual([fault]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'names a file that there isn’t',
      { 'docs/RULES.md': rules.replace('find.ts`', 'find.ts`, `main/gone.ts`') },
      'docs/RULES.md: there is no main/gone.ts',
    ],
    [
      'is cited nowhere in the code',
      { 'main/find.ts': '' },
      'docs/RULES.md: known-server: enforced in main/find.ts, which does not cite it',
    ],
    [
      'is shown by no test',
      { 'main/find.test.ts': '// KEP-541/rotation' },
      'docs/RULES.md: known-server: shown by main/find.test.ts, which does not cite it',
    ],
    [
      'is cited in one of its files alone',
      { 'docs/RULES.md': rules.replace('find.ts`', 'find.ts`, `main/ask.ts`'), 'main/ask.ts': '' },
      'docs/RULES.md: known-server: enforced in main/ask.ts, which does not cite it',
    ],
    [
      'names no test',
      { 'docs/RULES.md': rules.replace('`main/find.test.ts`', 'no test') },
      'docs/RULES.md: known-server: names no file that it is shown by',
    ],
  ])('of a rule that %s are reported', (_, changes, fault) => {
    expect(faultsOf(changes)).toEqual([fault]);
  });

  test('of a row that no test shows are reported', () => {
    expect(faultsOf({ 'main/find.test.ts': '// (rule: known-server)' })).toEqual([
      'KEP-541/rotation: no file that it is shown by cites it',
    ]);
  });
});
