import { setImmediate as nextTurn } from 'node:timers/promises';
import { durationBucket } from '../domain/figures/duration-buckets.ts';
import { dayMilliseconds, hourMilliseconds } from '../domain/figures/plugin-objectives.ts';
import type { Row } from './event-tables.ts';
import type { HistoryStore } from './history-store.ts';
import type { OpenHistory } from './open-history.ts';

/** Rows that are summed up at a time: about two milliseconds' work. */
const stepRows = 400;
const stepsOfLog = 20;

const addCallSql = `INSERT INTO call_hours VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`;
const addAskerSql = `INSERT INTO asker_days VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, refused = refused + excluded.refused,
    last_at = max(last_at, excluded.last_at)`;
const addRunSql = `INSERT INTO run_hours VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET runs = runs + excluded.runs`;

/** What of a row of `calls` is summed up. */
interface CallRow {
  at: number;
  account: string;
  /** `targetKey`. */
  target: string | null;
  outcome: string;
  reason: string;
  microseconds: number;
  executable: string | null;
}

/** What of a row of `plugin_runs` is summed up. */
interface RunRow {
  at: number;
  account: string;
  /** `targetKey`. */
  target: string | null;
  callStatus: string;
  exitCode: number;
  code: string | null;
  plugin: string;
}

export function hourOf(at: number): number {
  return Math.floor(at / hourMilliseconds);
}

function dayOf(at: number): number {
  return Math.floor(at / dayMilliseconds);
}

type Key = (string | number)[];

function callKey(call: Omit<CallRow, 'executable'>): Key {
  const { target, at, account, outcome, reason, microseconds } = call;
  return [target ?? '', hourOf(at), account, outcome, reason, durationBucket(microseconds)];
}

function runKey({ account, at, target, callStatus, exitCode, code }: RunRow): Key {
  return [account, hourOf(at), target ?? '', callStatus, exitCode, code === null ? 1 : 0];
}

/**
 * Sums up some of the rows that wait for it, in one transaction with the note of how far that came: the sums of what is
 * noted say neither more nor less than its rows, wherever the process ends. False where no more than that waited.
 */
export function sumUpStep(open: OpenHistory): boolean {
  if (open.isSummedUp) {
    return false;
  }
  const waiting = open.statement('SELECT id, source, after_id, last_id FROM waiting_for_sums').all();
  const isMore = waiting.some((range) => sumUpRange(open, range));
  open.isSummedUp = !isMore;
  return isMore;
}

/** True: it took a full step. */
function sumUpRange(
  open: OpenHistory,
  { id = null, source, after_id: after = null, last_id: last = null }: Row,
): boolean {
  const isOfCalls = source === 'calls';
  const rows = open.statement(isOfCalls ? callsToSum : runsToSum).all(after, last ?? noEnd);
  const end = rows.at(-1);
  if (end) {
    open.transaction(() => {
      if (isOfCalls) {
        sumCalls(open, rows.map(callRow));
      } else {
        sumRuns(open, rows.map(runRow));
      }
      open.statement('UPDATE waiting_for_sums SET after_id = ? WHERE id = ?').run(end['id'] ?? null, id);
    });
  }
  if (rows.length === stepRows) {
    return true;
  }
  if (last !== null) {
    open.statement('DELETE FROM waiting_for_sums WHERE id = ?').run(id);
  }
  return false;
}

/** Resolves when all that is on record is in the sums, where they can be written: a step or two, but after an update. */
export async function allSummedUp(store: Pick<HistoryStore, 'write'>): Promise<void> {
  try {
    for (let step = 1; store.write(sumUpStep); step++) {
      await nextTurn();
      if (step % stepsOfLog === 0) {
        // Little by little: SQLite's own writing back of a long log would take a while.
        store.write((open) => open.database.exec('PRAGMA wal_checkpoint(PASSIVE)'));
      }
    }
  } catch {
    // As on a full disk. The store has said it; the sums that are there can be read all the same.
  }
}

const noEnd = Number.MAX_SAFE_INTEGER;

const callsToSum = `SELECT calls.id AS id, at, account, target, outcome, reason, microseconds, executable
  FROM calls LEFT JOIN callers ON callers.id = caller_id
  WHERE calls.id > ? AND calls.id <= ? ORDER BY calls.id LIMIT ${stepRows}`;
const runsToSum = `SELECT id, at, account, target, call_status, exit_code, code, plugin FROM plugin_runs
  WHERE id > ? AND id <= ? ORDER BY id LIMIT ${stepRows}`;

function callRow(row: Row): CallRow {
  return row as unknown as CallRow;
}

function runRow(row: Row): RunRow {
  const { call_status: callStatus, exit_code: exitCode, ...rest } = row;
  return { ...rest, callStatus, exitCode } as unknown as RunRow;
}

/** Counted here first: most rows of a step have few keys. */
function sumCalls(open: OpenHistory, rows: readonly CallRow[]): void {
  for (const { key, rows: same } of grouped(rows, callKey)) {
    open.statement(addCallSql).run(...key, same.length);
  }
  const known = rows.filter(({ target }) => target !== null);
  const askerKey = ({ target, at, executable }: CallRow): Key => [target ?? '', dayOf(at), executable ?? ''];
  for (const { key, rows: same } of grouped(known, askerKey)) {
    const refused = same.filter(({ outcome }) => outcome === 'refused').length;
    const lastAt = Math.max(...same.map(({ at }) => at));
    open.statement(addAskerSql).run(...key, same.length, refused, lastAt);
  }
}

/** Of exec plugins alone: KEP-541 has its objectives for those. */
function sumRuns(open: OpenHistory, rows: readonly RunRow[]): void {
  const ofExecPlugins = rows.filter(({ plugin }) => plugin === 'execPlugin');
  for (const { key, rows: same } of grouped(ofExecPlugins, runKey)) {
    open.statement(addRunSql).run(...key, same.length);
  }
}

function grouped<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): Iterable<{ key: Key; rows: Value[] }> {
  const groups = new Map<string, { key: Key; rows: Value[] }>();
  for (const value of values) {
    const key = keyOf(value);
    const text = JSON.stringify(key);
    const group = groups.get(text);
    if (group) {
      group.rows.push(value);
    } else {
      groups.set(text, { key, rows: [value] });
    }
  }
  return groups.values();
}

/** The tables of sums, by what their keys begin with and what their time counts in. */
const sumTables = [
  { table: 'call_hours', name: 'target', unit: 'hour', milliseconds: hourMilliseconds, atOnce: 24 },
  { table: 'asker_days', name: 'target', unit: 'day', milliseconds: dayMilliseconds, atOnce: 24 },
  { table: 'run_hours', name: 'account', unit: 'hour', milliseconds: hourMilliseconds, atOnce: 24 },
] as const;

/** Removes some of the sums of hours and days that ended before then; false where there are none. */
export function pruneSums(open: OpenHistory, before: number): boolean {
  for (const { table, name, unit, milliseconds, atOnce } of sumTables) {
    const limit = Math.floor(before / milliseconds);
    const old = open
      .statement(
        `${namesIn(table, name)} SELECT name, (SELECT min(${unit}) FROM ${table} WHERE ${name} = names.name) AS first
         FROM names WHERE name IS NOT NULL AND first < ? LIMIT 1`,
      )
      .get(limit);
    if (old) {
      open
        .statement(`DELETE FROM ${table} WHERE ${name} = ? AND ${unit} < ?`)
        .run(old['name'] as string, Math.min(limit, Number(old['first']) + atOnce));
      return true;
    }
  }
  return false;
}

/** `WITH names(name) …`: each name that a key begins with, by one seek each. */
export function namesIn(table: string, name: string): string {
  return `WITH RECURSIVE names(name) AS (
    SELECT min(${name}) FROM ${table}
    UNION ALL
    SELECT (SELECT min(${name}) FROM ${table} WHERE ${name} > names.name) FROM names WHERE names.name IS NOT NULL
  )`;
}
