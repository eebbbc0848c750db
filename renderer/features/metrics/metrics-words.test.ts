import { describe, expect, it } from 'vitest';
import { callCounts } from '../../../main/contract/ui/call-words.ts';
import { rotationAgeBuckets } from '../../../main/domain/figures/rotation-age-buckets.ts';
import {
  ageBucketTexts,
  agesInUse,
  answerSeries,
  answersSummary,
  callSeries,
  type OverTime,
  runSeries,
  runsSummary,
  sinceFirst,
  tooFewText,
} from './figures.ts';
import { callsWords, findingsOf, type Plugin, rotationsWords } from './objective-words.ts';
import { spans, spanUpTo } from './spans.ts';

const calls = (runs: number, failed: number, isMet: boolean | null = failed * 10_000 <= runs) => ({
  runs,
  failed,
  unusable: 0,
  isMet,
  allowed: Math.floor(runs / 10_000),
});

it.each<[number, number, string]>([
  [0, 0, 'No runs'],
  [23, 0, '0 of 23 failed'],
  [23, 1, '1 of 23 failed'],
  [30_000, 1, '1 of 30,000 failed, 3 may'],
])('KEP-541/objectives: of %i runs %i failed: %s', (runs, failed, words) => {
  expect(callsWords(calls(runs, failed, runs === 0 ? null : undefined))).toBe(words);
});

describe('what to do about a plugin', () => {
  const rotations = { within: 0, early: 0, rejected: 0, late: 0, idle: 0, isMet: null };
  const good = { calls: calls(23, 0), rotations, troubles: [] };
  const plugin = (health: Partial<Plugin>): Plugin => ({
    account: 'eks',
    command: 'aws',
    ...good,
    clusters: [
      { cluster: 'prod', ...good, ...health },
      { cluster: 'dev', ...good },
    ],
    held: [],
    ...health,
  });
  const found = (health: Partial<Plugin>) =>
    findingsOf([plugin(health)], 30).map(({ account, clusters, seen }) => [account, clusters, seen]);

  it('is nothing where all is well', () => {
    expect(found({})).toEqual([]);
  });

  it('is one sentence for failed runs, with the clusters it concerns', () => {
    expect(found({ calls: calls(16, 1) })).toEqual([
      ['eks', ['prod'], '1 of 16 runs failed in the last 24 hours.'],
    ]);
    expect(found({ calls: calls(16, 1), troubles: ['errorsRise'] })).toEqual([
      [
        'eks',
        ['prod'],
        'It failed more than twice as often in the last hour as in any of the 23 hours before.',
      ],
    ]);
  });

  it('is one sentence for certificates that are replaced at the wrong time', () => {
    expect(found({ rotations: { ...rotations, within: 9, early: 2, late: 1, isMet: false } })).toEqual([
      ['eks', ['prod'], '3 of 12 certificates were replaced too early or too late in 30 days.'],
    ]);
  });
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
    expect(series[0]?.label).toBe('Succeeded');
    expect(series[1]?.label).toBe('Failed (exit code 3)');
    expect(series.at(-1)).toMatchObject({ label: 'Others', values: [9] });
    expect(series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(40);
    expect(runsSummary([{ ...step, counts }])).toBe('40 runs, 39 without a credential');
  });
});

describe('times to answer', () => {
  const answers = (...counts: number[]) =>
    counts.map((count, index) => ({
      since: index * 1_800_000,
      until: (index + 1) * 1_800_000,
      answers: count,
      p50: 900,
      p90: 2_000,
      p99: 9_000,
    }));

  it('have a percentile only where there are requests enough for it', () => {
    const series = answerSeries(answers(4, 5, 20, 100));
    expect(series.map(({ label, values }) => [label, values])).toEqual([
      ['p50', [null, 900, 900, 900]],
      ['p90', [null, null, 2_000, 2_000]],
      ['p99', [null, null, null, 9_000]],
    ]);
    expect(answerSeries(answers(30, 7)).map(({ label }) => label)).toEqual(['p50', 'p90']);
    expect(answerSeries(answers(2, 4))).toEqual([]);
  });

  it('say how many requests they are of, and where those are too few', () => {
    const words = 'requests, without those that waited for a login';
    expect(answersSummary({ answers: answers(100, 20) })).toBe(`120 ${words}`);
    expect(answersSummary({ answers: answers(30, 7) })).toBe(`37 ${words}. Too few per 30 min for p99`);
    expect(tooFewText({ answers: answers(2, 4) })).toBe('Too few requests: 6');
    expect(tooFewText({ answers: [] })).toBe('No credential was issued in this time.');
  });
});

describe('what is empty is left out', () => {
  it('the steps before the first call', () => {
    const step = (calls: number) => ({
      since: 0,
      until: 1,
      counts: calls === 0 ? [] : [{ class: 'handedOut' as const, reason: 'held', calls }],
    });
    const of = (...calls: number[]): OverTime => ({
      calls: calls.map(step),
      answers: [],
      runs: [],
      rotationAges: [],
    });
    const empty = (count: number) => Array.from({ length: count }, () => 0);
    expect(sinceFirst(of(...empty(20), 1, 2, ...empty(18))).calls).toHaveLength(20);
    // A chart of a few bars alone would say nothing of the time before.
    expect(sinceFirst(of(...empty(39), 1)).calls).toHaveLength(12);
    expect(sinceFirst(of(...empty(40))).calls).toHaveLength(40);
  });

  it('the ages that no certificate had, at both ends', () => {
    const rotationAges = [...rotationAgeBuckets, null].map((upToSeconds, index) => ({
      upToSeconds,
      rotations: index === 2 || index === 4 ? 3 : 0,
    }));
    expect(agesInUse(rotationAges)).toEqual([
      { text: '30 min to 1 h', rotations: 3 },
      { text: '1 h to 4 h', rotations: 0 },
      { text: '4 h to 1 d', rotations: 3 },
    ]);
  });
});

it.each(Object.keys(spans) as (keyof typeof spans)[])('a span of %s has now in it', (name) => {
  const now = Date.UTC(2026, 2, 3, 14, 31, 7);
  const { since, until } = spanUpTo(now, name);
  expect(until).toBeGreaterThan(now);
  expect(until - since).toBe(spans[name].milliseconds);
});
