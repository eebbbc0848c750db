import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallOutcome } from '../contract/doors.ts';
import { callClass } from '../domain/figures/call-class.ts';
import { durationAt, durationBucket } from '../domain/figures/duration-buckets.ts';
import { dayMilliseconds } from '../domain/figures/plugin-objectives.ts';
import { clusterKey } from '../domain/target/target.ts';
import type { AnswersStep, CallsQuery, CallsStep, ProgramCalls, Span } from '../ports/history-figures.ts';
import { type Steps, spansOf, stepsOf } from './call-steps.ts';
import type { HistoryStore } from './history-store.ts';
import { allSummedUp, hourOf, namesIn } from './sums.ts';

const stepRows = 500;

export type Store = Pick<HistoryStore, 'use' | 'write'>;

/** Calls with the same outcome, reason and length, in one step. */
export interface CallSum {
  at: number;
  outcome: CallOutcome;
  reason: string;
  bucket: number;
  calls: number;
}

export async function readCalls(store: Store, query: CallsQuery): Promise<CallsStep[]> {
  const steps = stepsOf(query);
  const found = spansOf(steps).map((span) => ({
    ...span,
    counts: new Map<string, CallsStep['counts'][number]>(),
  }));
  await eachCall(store, query, steps, ({ at, outcome, reason, calls }) => {
    const counts = found[Math.floor((at - steps.since) / steps.width)]?.counts;
    const key = `${outcome} ${reason}`;
    const count = counts?.get(key) ?? { class: callClass(outcome, reason), reason, calls: 0 };
    count.calls += calls;
    counts?.set(key, count);
  });
  return found.map(({ counts, ...span }) => ({
    ...span,
    counts: [...counts.values()].sort((a, b) => b.calls - a.calls || (a.reason < b.reason ? -1 : 1)),
  }));
}

export async function readAnswerTimes(store: Store, query: CallsQuery): Promise<AnswersStep[]> {
  const steps = stepsOf(query);
  const found = spansOf(steps).map((span) => ({ ...span, counts: new Map<number, number>() }));
  await eachCall(store, query, steps, (sum) => {
    if (isAnswer(sum)) {
      const counts = found[Math.floor((sum.at - steps.since) / steps.width)]?.counts;
      counts?.set(sum.bucket, (counts.get(sum.bucket) ?? 0) + sum.calls);
    }
  });
  return found.map(({ counts, ...span }) => ({
    ...span,
    answers: [...counts.values()].reduce((total, calls) => total + calls, 0),
    p50: durationAt(0.5, counts),
    p90: durationAt(0.9, counts),
    p99: durationAt(0.99, counts),
  }));
}

/** A credential was issued, without waiting for a user's login. */
export function isAnswer({ outcome, reason }: Pick<CallSum, 'outcome' | 'reason'>): boolean {
  return outcome === 'handedOut' && reason !== 'loggedIn';
}

/** Full days from their sums, and the rest of the first and the last from its calls. */
export async function readProgramCalls(
  store: Store,
  query: Span & { cluster: string },
): Promise<ProgramCalls[]> {
  await allSummedUp(store);
  const found = new Map<string | null, ProgramCalls>();
  const add = (executable: string | null, calls: number, refused: number, lastAt: number) => {
    const asker = found.get(executable) ?? { executable, calls: 0, refused: 0, lastAt: 0 };
    asker.calls += calls;
    asker.refused += refused;
    asker.lastAt = Math.max(asker.lastAt, lastAt);
    found.set(executable, asker);
  };
  const { first, end, rest } = wholeDays(query);
  for (let day = first; day < end; day += daysOfStep) {
    const rows = store.use((open) =>
      open
        .statement(
          `SELECT executable, sum(calls) AS calls, sum(refused) AS refused, max(last_at) AS last_at FROM asker_days
           WHERE target = ? AND day >= ? AND day < ? GROUP BY executable`,
        )
        .all(clusterKey(query.cluster), day, Math.min(end, day + daysOfStep)),
    );
    for (const row of rows) {
      const executable = String(row['executable']);
      add(
        executable === '' ? null : executable,
        Number(row['calls']),
        Number(row['refused']),
        Number(row['last_at']),
      );
    }
    await nextTurn();
  }
  for (const span of rest) {
    await eachRow(store, query, span, (row) =>
      add(row['executable'] as string | null, 1, row['outcome'] === 'refused' ? 1 : 0, Number(row['at'])),
    );
  }
  return [...found.values()].sort(
    (a, b) =>
      b.calls - a.calls || b.lastAt - a.lastAt || ((a.executable ?? '') < (b.executable ?? '') ? -1 : 1),
  );
}

const daysOfStep = 31;

function wholeDays({ since, until }: Span): { first: number; end: number; rest: Span[] } {
  const first = Math.ceil(since / dayMilliseconds);
  const end = Math.floor(until / dayMilliseconds);
  if (end <= first) {
    return { first, end: first, rest: [{ since, until }] };
  }
  return {
    first,
    end,
    rest: [
      { since, until: first * dayMilliseconds },
      { since: end * dayMilliseconds, until },
    ].filter((span) => span.since < span.until),
  };
}

type Of = Pick<CallsQuery, 'cluster' | 'account'>;

async function eachCall(store: Store, of: Of, steps: Steps, take: (sum: CallSum) => void): Promise<void> {
  if (steps.isWholeHours) {
    await eachHourSum(store, of, steps, take);
    return;
  }
  const span = steps;
  await eachRow(store, of, span, (row) =>
    take({
      at: Number(row['at']),
      outcome: row['outcome'] as CallSum['outcome'],
      reason: String(row['reason']),
      bucket: durationBucket(Number(row['microseconds'])),
      calls: 1,
    }),
  );
}

/** Calls of the sums' full hours; `at` is within the step. */
async function eachHourSum(
  store: Store,
  { cluster, account }: Of,
  steps: Steps,
  take: (sum: CallSum) => void,
): Promise<void> {
  await allSummedUp(store);
  const ofAccount = account === undefined ? '' : ' AND account = ?';
  const sql = `SELECT outcome, reason, bucket, sum(calls) AS calls FROM call_hours
    WHERE target = ? AND hour >= ? AND hour < ?${ofAccount} GROUP BY outcome, reason, bucket`;
  for (const name of cluster === undefined ? targetsOf(store) : [clusterKey(cluster)]) {
    for (const { since, until } of spansOf(steps)) {
      for (let hour = hourOf(since); hour < hourOf(until); hour += hoursOfStep) {
        const end = Math.min(hourOf(until), hour + hoursOfStep);
        const rows = store.use((open) =>
          open.statement(sql).all(name, hour, end, ...(account === undefined ? [] : [account])),
        );
        for (const row of rows) {
          take({ ...(row as unknown as Omit<CallSum, 'at'>), at: since });
        }
        await nextTurn();
      }
    }
  }
}

/** A step of the sums is a few hundred rows, in a busy year a thousand. */
const hoursOfStep = 60;

function targetsOf(store: Store): string[] {
  return store.use((open) =>
    open
      .statement(`${namesIn('call_hours', 'target')} SELECT name FROM names WHERE name IS NOT NULL`)
      .all()
      .map((row) => String(row['name'])),
  );
}

/** Each call of a span, oldest first. */
export async function eachRow(
  store: Store,
  { cluster, account }: Of,
  { since, until }: Span,
  take: (row: Record<string, unknown>) => void,
): Promise<void> {
  const by = cluster === undefined ? '' : 'target = ? AND ';
  const sql = `SELECT calls.id AS id, at, account, outcome, reason, microseconds, executable
    FROM calls LEFT JOIN callers ON callers.id = caller_id
    WHERE ${by}at >= ? AND at < ? AND NOT (at = ? AND calls.id <= ?) ORDER BY at, calls.id LIMIT ${stepRows}`;
  let last = { at: Math.trunc(since), id: 0 };
  for (;;) {
    const rows = store.use((open) =>
      open
        .statement(sql)
        .all(
          ...(cluster === undefined ? [] : [clusterKey(cluster)]),
          last.at,
          Math.trunc(until),
          last.at,
          last.id,
        ),
    );
    for (const row of rows) {
      if (account === undefined || row['account'] === account) {
        take(row);
      }
    }
    const end = rows.at(-1);
    if (rows.length < stepRows || !end) {
      return;
    }
    last = { at: Number(end['at']), id: Number(end['id']) };
    await nextTurn();
  }
}
