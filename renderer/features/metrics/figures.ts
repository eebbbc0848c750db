import { type CallClass, callClasses } from '../../../main/contract/doors.ts';
import { callClassNames, countText } from '../../../main/contract/ui/call-words.ts';
import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import type { ChartSeries } from '../../ui/chart/index.ts';
import { tookText } from '../../ui/time/index.ts';

export type OverTime = CallOutput<'metrics.overTime'>;

const callTokens = {
  handedOut: '--good',
  noCredential: '--muted',
  declined: '--soon',
  failed: '--bad',
} as const satisfies Record<CallClass, ChartSeries['token']>;

/** How many calls of these steps had each outcome. */
export function callCounts(steps: OverTime['calls']): Record<CallClass, number> {
  const total = { handedOut: 0, noCredential: 0, declined: 0, failed: 0 };
  for (const { counts } of steps) {
    for (const { class: name, calls } of counts) {
      total[name] += calls;
    }
  }
  return total;
}

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

export function answerSeries(steps: OverTime['answers']): ChartSeries[] {
  return [
    { key: 'p50', label: 'p50', token: '--good', values: steps.map(({ p50 }) => p50) },
    { key: 'p90', label: 'p90', token: '--accent', values: steps.map(({ p90 }) => p90), dash: [6, 3] },
    { key: 'p99', label: 'p99', token: '--soon', values: steps.map(({ p99 }) => p99), dash: [2, 3] },
  ];
}

export function answersSummary({ answers, answerErrorShare }: OverTime): string {
  const count = answers.reduce((sum, each) => sum + each.answers, 0);
  return `${countText(count)} ${count === 1 ? 'request' : 'requests'}, excluding those that waited for a login (±${Math.round(answerErrorShare * 100)}%)`;
}

const statusWords = {
  no_error: 'Succeeded',
  plugin_execution_error: 'Failed',
  plugin_not_found_error: 'Not found',
  client_internal_error: 'Not run (Lanyard error)',
} as const;
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

/** `Failed (plugin_execution_error, 255)`. */
function runLabel({ callStatus, exitCode, answered }: RunCount): string {
  const words = callStatus === 'no_error' && !answered ? 'Invalid output' : statusWords[callStatus];
  return `${words} (${callStatus}, ${exitCode})`;
}

export function runsSummary(steps: OverTime['runs']): string {
  const counts = steps.flatMap((each) => each.counts);
  const runs = counts.reduce((sum, each) => sum + each.runs, 0);
  const failed = counts.reduce((sum, each) => sum + (each.answered ? 0 : each.runs), 0);
  return `${countText(runs)} ${runs === 1 ? 'run' : 'runs'}, ${countText(failed)} without a credential`;
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
