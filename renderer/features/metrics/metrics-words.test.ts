import { describe, expect, it } from 'vitest';
import { rotationAgeBuckets } from '../../../main/domain/figures/rotation-age-buckets.ts';
import { ageBucketTexts, callCounts, callSeries, runSeries, runsSummary } from './figures.ts';
import { budgetWords, callsWords, rotationsWords } from './objective-words.ts';
import { spans, spanUpTo } from './spans.ts';

const calls = (runs: number, failed: number, isMet: boolean | null = failed * 10_000 <= runs) => ({
  runs,
  failed,
  unusable: 0,
  isMet,
  allowed: Math.floor(runs / 10_000),
});

it.each<[number, number, string, string]>([
  [0, 0, 'No runs', '–'],
  [23, 0, '0 of 23 failed', '0 allowed'],
  [23, 1, '1 of 23 failed', 'Used up'],
  [30_000, 1, '1 of 30,000 failed', '2 of 3 left'],
  [30_000, 3, '3 of 30,000 failed', '0 of 3 left'],
  [30_000, 4, '4 of 30,000 failed', 'Used up: 3 might'],
])('KEP-541/objectives: of %i runs %i failed: %s, %s', (runs, failed, words, budget) => {
  const objective = calls(runs, failed, runs === 0 ? null : undefined);
  expect(callsWords(objective)).toBe(words);
  expect(budgetWords(objective)).toBe(budget);
});

it('KEP-541/objectives: rotations are shown with their faults', () => {
  const none = { within: 0, early: 0, rejected: 0, late: 0, idle: 0, isMet: null };
  expect(rotationsWords(none)).toBe('–');
  expect(rotationsWords({ ...none, idle: 2 })).toBe('2 after a pause, which don’t count');
  expect(rotationsWords({ within: 11, early: 2, rejected: 1, late: 1, idle: 1, isMet: false })).toBe(
    '11 of 14 in the last 1% (2 early, 1 after a 401; 1 late; 1 after a pause, not counted)',
  );
});

it('KEP-541/objectives: every bucket of the KEP has its own label', () => {
  const texts = ageBucketTexts(
    [...rotationAgeBuckets, null].map((upToSeconds) => ({ upToSeconds, rotations: 0 })),
  );
  expect(texts).toEqual([
    'up to 10 min',
    '10 min to 30 min',
    '30 min to 1 h',
    '1 h to 4 h',
    '4 h to 1 d',
    '1 d to 7 d',
    '7 d to 1 mo',
    '1 mo to 3 mo',
    '3 mo to 6 mo',
    '6 mo to 1 y',
    '1 y to 4 y',
    'over 4 y',
  ]);
});

describe('series', () => {
  const step = { since: 0, until: 1 };

  it('of calls are by what became of them', () => {
    const series = callSeries([
      { ...step, counts: [{ class: 'handedOut', reason: 'held', calls: 3 }] },
      {
        ...step,
        counts: [
          { class: 'handedOut', reason: 'renewed', calls: 1 },
          { class: 'failed', reason: 'oidc.unreachable', calls: 2 },
          { class: 'failed', reason: 'internal', calls: 1 },
        ],
      },
    ]);
    expect(series.map(({ key, values }) => [key, values])).toEqual([
      ['handedOut', [3, 1]],
      ['failed', [0, 3]],
    ]);
    const none = { ...step, counts: [{ class: 'noCredential', reason: 'renewed', calls: 2 } as const] };
    expect(callSeries([none]).map(({ label }) => label)).toEqual(['No credential']);
    expect(callCounts([none, none])).toEqual({ handedOut: 0, noCredential: 4, declined: 0, failed: 0 });
  });

  it('of runs are by call_status and code, none left out', () => {
    const run = (exitCode: number, runs: number) => ({
      callStatus: exitCode === 0 ? ('no_error' as const) : ('plugin_execution_error' as const),
      exitCode,
      answered: exitCode === 0,
      runs,
    });
    const counts = [run(3, 9), run(0, 1), run(4, 8), run(5, 7), run(6, 6), run(7, 5), run(8, 4)];
    const series = runSeries([{ ...step, counts }]);
    expect(series[0]?.label).toBe('Succeeded (no_error, 0)');
    expect(series.at(-1)).toMatchObject({ label: 'Others', values: [9] });
    expect(series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(40);
    expect(runsSummary([{ ...step, counts }])).toBe('40 runs, 39 without a credential');
  });
});

it.each(Object.keys(spans) as (keyof typeof spans)[])('a span of %s has now in it', (name) => {
  const now = Date.UTC(2026, 2, 3, 14, 31, 7);
  const { since, until } = spanUpTo(now, name);
  expect(until).toBeGreaterThan(now);
  expect(until - since).toBe(spans[name].milliseconds);
});
