import { type CallClass, callClasses } from '../../../main/contract/doors.ts';
import { callClassNames, callCounts } from '../../../main/contract/ui/call-words.ts';
import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import { counted, countText } from '../../../main/contract/ui/count-text.ts';
import { type ChartSeries, stepLength } from '../../ui/chart/chart-data.ts';
import { tookText } from '../../ui/time/index.ts';

export type OverTime = CallOutput<'metrics.overTime'>;

const callTokens = {
  handedOut: '--good',
  noCredential: '--muted',
  declined: '--soon',
  failed: '--bad',
} as const satisfies Record<CallClass, ChartSeries['token']>;

/** Calls by outcome. Outcomes that no call had are left out. */
export function callSeries(steps: OverTime['calls']): ChartSeries[] {
  const total = callCounts(steps);
  const by = steps.map((step) => callCounts([step]));
  return callClasses.flatMap((name) =>
    total[name] === 0
      ? []
      : [
          {
            key: name,
            label: callClassNames[name],
            token: callTokens[name],
            values: by.map((counts) => counts[name]),
          },
        ],
  );
}

/** A percentile of fewer requests is their slowest one or two, and jumps. */
const leastAnswers = { p50: 5, p90: 20, p99: 100 } as const;

/** A line for each percentile, where a step has requests enough for it. A percentile that has them nowhere has no line. */
export function answerSeries(steps: OverTime['answers']): ChartSeries[] {
  const lines = [
    { key: 'p50', token: '--good' },
    { key: 'p90', token: '--accent', dash: [6, 3] },
    { key: 'p99', token: '--soon', dash: [2, 3] },
  ] as const;
  return lines.flatMap((line) => {
    const values = steps.map((step) => (step.answers < leastAnswers[line.key] ? null : step[line.key]));
    return values.every((value) => value === null) ? [] : [{ label: line.key, ...line, values }];
  });
}

/** How many requests there were, and which percentiles have too few. */
export function answersSummary({ answers }: Pick<OverTime, 'answers'>): string {
  const count = answers.reduce((sum, each) => sum + each.answers, 0);
  const most = Math.max(0, ...answers.map((each) => each.answers));
  const missing = (['p90', 'p99'] as const).filter(
    (name) => most >= leastAnswers.p50 && most < leastAnswers[name],
  );
  return `${requestsText(count)}, without those that waited for a login${
    missing.length === 0 ? '' : `. Too few per ${stepLength(answers)} for ${missing.join(' and ')}`
  }`;
}

/** In place of lines, where no step has requests enough. */
export function tooFewText({ answers }: Pick<OverTime, 'answers'>): string {
  const count = answers.reduce((sum, each) => sum + each.answers, 0);
  return count === 0 ? 'No credential was issued in this time.' : `Too few requests: ${countText(count)}`;
}

function requestsText(count: number): string {
  return counted(count, 'request');
}

const failureTokens = ['--bad', '--soon', '--accent', '--muted', '--faint'] as const;

/** Runs by `call_status` and `code`, as client-go counts them. Successful runs are at the bottom. */
export function runSeries(steps: OverTime['runs']): ChartSeries[] {
  const totals = new Map<string, { label: string; isGood: boolean; runs: number }>();
  for (const { counts } of steps) {
    for (const each of counts) {
      const key = runKey(each);
      const known = totals.get(key) ?? { label: runLabel(each), isGood: each.answered, runs: 0 };
      totals.set(key, { ...known, runs: known.runs + each.runs });
    }
  }
  const kinds = [...totals].sort(([, a], [, b]) => Number(b.isGood) - Number(a.isGood) || b.runs - a.runs);
  const shown = kinds.slice(0, 5);
  let failures = 0;
  const series = shown.map(
    ([key, { label, isGood }]): ChartSeries => ({
      key,
      label,
      token: isGood ? '--good' : (failureTokens[failures++] ?? '--faint'),
      values: steps.map(({ counts }) =>
        counts.reduce((sum, each) => sum + (runKey(each) === key ? each.runs : 0), 0),
      ),
    }),
  );
  if (kinds.length > shown.length) {
    const named = new Set(shown.map(([key]) => key));
    series.push({
      key: 'others',
      label: 'Others',
      token: '--faint',
      values: steps.map(({ counts }) =>
        counts.reduce((sum, each) => sum + (named.has(runKey(each)) ? 0 : each.runs), 0),
      ),
    });
  }
  return series;
}

type RunCount = OverTime['runs'][number]['counts'][number];

function runKey({ callStatus, exitCode, answered }: RunCount): string {
  return `${callStatus} ${exitCode} ${answered}`;
}

/** `Failed (exit code 255)`. */
function runLabel({ callStatus, exitCode, answered }: RunCount): string {
  switch (callStatus) {
    case 'no_error':
      return answered ? 'Succeeded' : 'Invalid output';
    case 'plugin_not_found_error':
      return 'Not found';
    case 'client_internal_error':
      return 'Not run (Lanyard error)';
    case 'plugin_execution_error':
      // −1: a signal ended it.
      return exitCode < 0 ? 'Ended by a signal' : `Failed (exit code ${exitCode})`;
  }
}

/** Without the steps before anything happened, so that the axis begins at the first of it. */
export function sinceFirst(numbers: OverTime): OverTime {
  const { calls, runs, answers } = numbers;
  const first = calls.findIndex(
    ({ counts }, index) => counts.length > 0 || (runs[index]?.counts.length ?? 0) > 0,
  );
  // A few steps at least: one bar alone isn't a chart.
  const from = Math.max(0, Math.min(first, calls.length - leastSteps));
  return first <= 0 || from === 0
    ? numbers
    : { ...numbers, calls: calls.slice(from), runs: runs.slice(from), answers: answers.slice(from) };
}

const leastSteps = 12;

/** The buckets of ages from the first with a certificate to the last. */
export function agesInUse(buckets: OverTime['rotationAges']): { text: string; rotations: number }[] {
  const texts = ageBucketTexts(buckets);
  const isUsed = ({ rotations }: { rotations: number }) => rotations > 0;
  return buckets
    .map(({ rotations }, index) => ({ text: texts[index] ?? '', rotations }))
    .slice(Math.max(0, buckets.findIndex(isUsed)), buckets.findLastIndex(isUsed) + 1);
}

export function runsSummary(steps: OverTime['runs']): string {
  const counts = steps.flatMap((each) => each.counts);
  const runs = counts.reduce((sum, each) => sum + each.runs, 0);
  const failed = counts.reduce((sum, each) => sum + (each.answered ? 0 : each.runs), 0);
  return `${counted(runs, 'run')}, ${countText(failed)} without a credential`;
}

/** The name of a bucket of ages: `10 to 30 min`, `over 4 y`. */
export function ageBucketTexts(buckets: OverTime['rotationAges']): string[] {
  return buckets.map(({ upToSeconds }, index) => {
    const from = buckets[index - 1]?.upToSeconds ?? null;
    if (upToSeconds === null) {
      return from === null ? 'any' : `over ${ageText(from)}`;
    }
    return from === null ? `up to ${ageText(upToSeconds)}` : `${ageText(from)} to ${ageText(upToSeconds)}`;
  });
}

/** The KEP's bucket limits: minutes, hours, days, and months of 30 days. */
function ageText(seconds: number): string {
  const days = seconds / 86_400;
  if (days >= 360) {
    return `${Math.round(days / 360)} y`;
  }
  if (days >= 30) {
    return `${days / 30} mo`;
  }
  return days >= 1 ? `${days} d` : seconds >= 3_600 ? `${seconds / 3_600} h` : `${seconds / 60} min`;
}

/** The labels of an axis in microseconds. */
export function answerText(microseconds: number): string {
  return microseconds === 0 ? '0' : tookText(microseconds);
}
