import { setImmediate as nextTurn } from 'node:timers/promises';
import { clusterKey } from '../domain/target/target.ts';
import type { PluginFiguresQuery, RotationAges, RunsStep } from '../ports/history-figures.ts';
import { spansOf, stepsOf } from './call-steps.ts';
import type { HistoryStore } from './history-store.ts';
import { allSummedUp, hourOf, namesIn } from './sums.ts';

type Store = Pick<HistoryStore, 'use' | 'write'>;

const hoursOfStep = 240;
const stepRows = 500;

/** Runs of exec plugins, step by step, by what client-go calls their end. */
export async function readRunsOverTime(store: Store, query: PluginFiguresQuery & { steps: number }) {
  const steps = stepsOf(query);
  const found = spansOf(steps).map((span) => ({
    ...span,
    counts: new Map<string, RunsStep['counts'][number]>(),
  }));
  const take = (at: number, callStatus: string, exitCode: number, answered: boolean, runs: number) => {
    const counts = found[Math.floor((at - steps.since) / steps.width)]?.counts;
    const key = `${callStatus} ${exitCode} ${answered}`;
    const status = callStatus as RunsStep['counts'][number]['callStatus'];
    const count = counts?.get(key) ?? { callStatus: status, exitCode, answered, runs: 0 };
    count.runs += runs;
    counts?.set(key, count);
  };
  if (steps.isWholeHours) {
    await allSummedUp(store);
    const ofCluster = query.cluster === undefined ? '' : ' AND target = ?';
    const sql = `SELECT call_status, exit_code, answered, sum(runs) AS runs FROM run_hours
      WHERE account = ? AND hour >= ? AND hour < ?${ofCluster} GROUP BY call_status, exit_code, answered`;
    for (const account of query.account === undefined ? accountsOf(store) : [query.account]) {
      for (const { since, until } of found) {
        for (let hour = hourOf(since); hour < hourOf(until); hour += hoursOfStep) {
          const values = [account, hour, Math.min(hourOf(until), hour + hoursOfStep)];
          const rows = store.use((open) =>
            open
              .statement(sql)
              .all(...values, ...(query.cluster === undefined ? [] : [clusterKey(query.cluster)])),
          );
          for (const row of rows) {
            const isAnswered = row['answered'] === 1;
            take(
              since,
              String(row['call_status']),
              Number(row['exit_code']),
              isAnswered,
              Number(row['runs']),
            );
          }
          await nextTurn();
        }
      }
    }
  } else {
    await eachRun(store, query, (row) =>
      take(Number(row['at']), String(row['call_status']), Number(row['exit_code']), row['code'] === null, 1),
    );
  }
  return found.map(
    ({ counts, ...span }): RunsStep => ({
      ...span,
      counts: [...counts.values()].sort((a, b) => b.runs - a.runs),
    }),
  );
}

function accountsOf(store: Store): string[] {
  return store.use((open) =>
    open
      .statement(`${namesIn('run_hours', 'account')} SELECT name FROM names WHERE name IS NOT NULL`)
      .all()
      .map((row) => String(row['name'])),
  );
}

type Row = Record<string, unknown>;

async function eachRun(store: Store, query: PluginFiguresQuery, take: (row: Row) => void): Promise<void> {
  const by = query.account === undefined ? '' : 'account = ? AND ';
  const sql = `SELECT id, at, target, call_status, exit_code, code FROM plugin_runs WHERE ${by}plugin = 'execPlugin' AND at >= ? AND at < ?
    AND NOT (at = ? AND id <= ?) ORDER BY at, id LIMIT ${stepRows}`;
  await eachPage(store, query, sql, query.account === undefined ? [] : [query.account], (row) => {
    if (query.cluster === undefined || row['target'] === clusterKey(query.cluster)) {
      take(row);
    }
  });
}

/** How old certificates were when others took their place, in KEP-541's buckets. */
export async function readRotationAges(
  store: Store,
  query: PluginFiguresQuery & { bucketSeconds: readonly number[] },
): Promise<RotationAges> {
  const buckets = [...query.bucketSeconds, null].map((upToSeconds) => ({ upToSeconds, rotations: 0 }));
  const sql = `SELECT generations.id AS id, at, account, target, replaced_certificate_age AS age
    FROM generations JOIN grants ON grants.id = grant_id
    WHERE replaced_certificate_age IS NOT NULL AND at >= ? AND at < ? AND NOT (at = ? AND generations.id <= ?)
    ORDER BY at, generations.id LIMIT ${stepRows}`;
  await eachPage(store, query, sql, [], (row) => {
    if (
      (query.account === undefined || row['account'] === query.account) &&
      // Of one that serves any cluster, its plugin's page tells.
      (query.cluster === undefined || row['target'] === clusterKey(query.cluster))
    ) {
      const seconds = Number(row['age']) / 1_000;
      const bucket = buckets.find(({ upToSeconds }) => upToSeconds === null || seconds <= upToSeconds);
      if (bucket) {
        bucket.rotations += 1;
      }
    }
  });
  return { buckets };
}

async function eachPage(
  store: Store,
  { since, until }: PluginFiguresQuery,
  sql: string,
  values: readonly string[],
  take: (row: Row) => void,
): Promise<void> {
  let last = { at: Math.trunc(since), id: 0 };
  for (;;) {
    const rows = store.use((open) =>
      open.statement(sql).all(...values, last.at, Math.trunc(until), last.at, last.id),
    );
    rows.forEach(take);
    const end = rows.at(-1);
    if (rows.length < stepRows || !end) {
      return;
    }
    last = { at: Number(end['at']), id: Number(end['id']) };
    await nextTurn();
  }
}
