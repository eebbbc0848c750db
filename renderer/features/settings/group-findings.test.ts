import { describe, expect, it } from 'vitest';
import type { FindingView } from '../../../main/contract/ui/calls/settings.ts';
import { findingGroups, summaryText } from './group-findings.ts';

const finding = (group: FindingView['group'], level: FindingView['level'], message = level): FindingView => ({
  group,
  check: 'check',
  subject: null,
  level,
  message,
  hint: null,
});

describe('findings', () => {
  it('are shown by what they are about, the worst first, what is fine apart', () => {
    const groups = findingGroups([
      finding('clusters', 'ok'),
      finding('broker', 'ok'),
      finding('clusters', 'note'),
      finding('clusters', 'problem'),
      finding('clusters', 'warning'),
    ]);
    expect(
      groups.map(({ group, worth, fine }) => [group, worth.map(({ level }) => level), fine.length]),
    ).toEqual([
      ['broker', [], 1],
      ['clusters', ['problem', 'warning', 'note'], 1],
    ]);
  });

  it.each<[FindingView['level'][], string]>([
    [['ok', 'note'], 'All is well: 2 looked at.'],
    [['ok', 'problem'], '1 thing doesn’t work; 2 looked at.'],
    [['warning', 'problem', 'problem'], '2 things don’t work, 1 warning; 3 looked at.'],
    [['warning', 'warning'], '2 warnings; 2 looked at.'],
  ])('%j are said as: %s', (levels, words) => {
    expect(summaryText(levels.map((level) => finding('broker', level)))).toBe(words);
  });
});
