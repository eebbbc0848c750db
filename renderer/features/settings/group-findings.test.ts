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
    [['ok', 'note'], 'No problems found. 2 checks run.'],
    [['ok', 'problem'], '1 problem; 2 checks run.'],
    [['warning', 'problem', 'problem'], '2 problems, 1 warning; 3 checks run.'],
    [['warning', 'warning'], '2 warnings; 2 checks run.'],
  ])('%j are said as: %s', (levels, words) => {
    expect(summaryText(levels.map((level) => finding('broker', level)))).toBe(words);
  });
});
