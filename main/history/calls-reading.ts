import { setImmediate as nextTurn } from 'node:timers/promises';
import { callClass } from '../domain/call-class.ts';
import { durationAt, durationBucket } from '../domain/duration-buckets.ts';
import type {
  AnswersStep,
  Asker,
  CallsQuery,
  CallsStep,
  RecentCalls,
  Span,
} from '../ports/history-figures.ts';
import { spansOf, stepsOf } from './call-steps.ts';
import type { HistoryStore } from './history-store.ts';

const stepRows = 500;

type Store = Pick<HistoryStore, 'use'>;

/** Calls with the same outcome, reason and length, in one step. */
export interface CallSum {
  at: number;
  outcome: 'handedOut' | 'refused';
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

/** A credential was handed out, and no person's login was waited for. */
export function isAnswer({ outcome, reason }: Pick<CallSum, 'outcome' | 'reason'>): boolean {
  return outcome === 'handedOut' && reason !== 'loggedIn';
}

export async function readAskers(store: Store, query: Span & { cluster: string }): Promise<Asker[]> {
  const found = new Map<string | null, Asker>();
  await eachRow(store, query, query, (row) => {
    const executable = row['executable'] as string | null;
    const asker = found.get(executable) ?? { executable, calls: 0, refused: 0, lastAt: 0 };
    asker.calls += 1;
    asker.refused += row['outcome'] === 'refused' ? 1 : 0;
    asker.lastAt = Math.max(asker.lastAt, Number(row['at']));
    found.set(executable, asker);
  });
  return [...found.values()].sort((a, b) => b.calls - a.calls || b.lastAt - a.lastAt);
}

export async function readRecent(store: Store, now: number): Promise<RecentCalls> {
  const recent = { callsThisHour: 0, failedThisHour: 0, calls24h: 0, failed24h: 0 };
  const counts = new Map<number, number>();
  const span = { since: now - 86_400_000, until: now + 1 };
  await eachCall(store, {}, span, (sum) => {
    const failed = callClass(sum.outcome, sum.reason) === 'failed' ? sum.calls : 0;
    recent.calls24h += sum.calls;
    recent.failed24h += failed;
    if (sum.at >= now - 3_600_000) {
      recent.callsThisHour += sum.calls;
      recent.failedThisHour += failed;
      if (isAnswer(sum)) {
        counts.set(sum.bucket, (counts.get(sum.bucket) ?? 0) + sum.calls);
      }
    }
  });
  return { ...recent, medianMicroseconds: durationAt(0.5, counts) };
}

type Of = Pick<CallsQuery, 'cluster' | 'account'>;

async function eachCall(store: Store, of: Of, span: Span, take: (sum: CallSum) => void): Promise<void> {
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

/** Each call of a span, oldest first. */
async function eachRow(
  store: Store,
  { cluster, account }: Of,
  { since, until }: Span,
  take: (row: Record<string, unknown>) => void,
): Promise<void> {
  const by = cluster === undefined ? '' : 'cluster = ? AND ';
  const sql = `SELECT calls.id AS id, at, account, outcome, reason, microseconds, executable
    FROM calls LEFT JOIN callers ON callers.id = caller_id
    WHERE ${by}at >= ? AND at < ? AND NOT (at = ? AND calls.id <= ?) ORDER BY at, calls.id LIMIT ${stepRows}`;
  let last = { at: Math.trunc(since), id: 0 };
  for (;;) {
    const rows = store.use((open) =>
      open
        .statement(sql)
        .all(...(cluster === undefined ? [] : [cluster]), last.at, Math.trunc(until), last.at, last.id),
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
