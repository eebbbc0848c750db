import { expect, test } from 'vitest';
import type { FindingLevel } from '../domain/text/finding.ts';
import { withoutStyle } from '../domain/text/style.ts';
import { findingsText } from './finding-text.ts';

const finding = (level: FindingLevel, subject: string | null, message: string, hint: string | null = null) =>
  ({ group: 'clusters', check: 'x', level, subject, message, hint }) as const;
const lines = (...findings: ReturnType<typeof finding>[]) => withoutStyle(findingsText(findings)).split('\n');

test('what is worst comes first, with what to do', () => {
  expect(lines(finding('ok', 'a', 'fine'), finding('problem', 'b', 'broken', 'mend it'))).toEqual([
    'Clusters',
    '  problem  b: broken',
    '             mend it',
    '  ok       a: fine',
    '',
    '1 problem',
  ]);
});

test('the same of many is one line, and all are counted', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => finding('warning', name, 'away', 'wait'));
  expect(lines(...many, finding('warning', 'g', 'away', 'another hint'))).toEqual([
    'Clusters',
    '  warning  a, b, c, d and 2 more: away',
    '             wait',
    '  warning  g: away',
    '             another hint',
    '',
    '7 warnings',
  ]);
});

test('of very many that differ, the first are shown', () => {
  const shown = lines(...Array.from({ length: 60 }, (_, index) => finding('note', 'a', `note ${index}`)));
  expect(shown).toHaveLength(1 + 40 + 1 + 2);
  expect(shown).toContain('  … and 20 more (--json shows all)');
});
