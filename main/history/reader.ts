import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Disposable } from '../base/disposables.ts';
import {
  clusterKey,
  clusterName,
  clusterOf,
  isSameTarget,
  targetKey,
  targetOfKey,
} from '../domain/target/target.ts';
import type { HistoryEvent } from '../ports/history.ts';
import type { HistoryQuery, HistoryReader, ProgramUse, RecordedEvent } from '../ports/history-reader.ts';
import { readAnswerTimes, readCalls, readProgramCalls } from './calls-reading.ts';
import { type EventTable, eventTables, type Row, selectFrom } from './event-tables.ts';
import type { HistoryStore } from './history-store.ts';
import { readLane } from './lane-reading.ts';
import { readCallsSince, readLastCalls } from './past-calls.ts';
import { readRotationAges, readRunsOverTime } from './plugin-figures.ts';
import { readRotations, readRuns } from './plugin-readings.ts';

/** Rows of one step: about a millisecond's work, then callers have their turn. */
const stepRows = 250;
const nameLimit = 500;

const allTables = Object.values(eventTables) as readonly EventTable[];

/** Reads what was recorded; `listeners` are called by who records. */
export function createHistoryReader(
  store: Pick<HistoryStore, 'use' | 'write'>,
  listeners: Set<(recorded: RecordedEvent) => void>,
): HistoryReader {
  return {
    async events(query) {
      const found: RecordedEvent[] = [];
      for (const table of allTables) {
        if (query.kinds === undefined || query.kinds.includes(table.kind)) {
          found.push(...(await newestOf(store, table, { ...query, limit: query.limit + 1 })));
        }
      }
      found.sort((a, b) => b.at - a.at || b.id - a.id);
      return {
        events: found.slice(0, query.limit).sort((a, b) => a.id - b.id),
        cut: found.length > query.limit,
      };
    },
    after: (id) =>
      store.use((open) =>
        allTables
          .flatMap((table) => {
            const sql = `${selectFrom(table)} WHERE ${table.table}.id > ? ORDER BY ${table.table}.id LIMIT ${stepRows}`;
            return open
              .statement(sql)
              .all(id)
              .map((row) => recorded(table, row));
          })
          .sort((a, b) => a.id - b.id)
          .slice(0, stepRows),
      ),
    lastId: () => store.use((open) => open.lastId),
    onRecorded(listener): Disposable {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    lane: (query) => readLane(store, query),
    callsOverTime: (query) => readCalls(store, query),
    answerTimes: (query) => readAnswerTimes(store, query),
    askers: (query) => readProgramCalls(store, query),
    runsOverTime: (query) => readRunsOverTime(store, query),
    rotationAges: (query) => readRotationAges(store, query),
    programs: ({ cluster, since }) => programsOf(store, cluster, since),
    pluginRuns: (now) => readRuns(store, now),
    rotations: (query) => readRotations(store, query),
    accountsOf: (cluster) =>
      store.use((open) => [
        ...new Set(
          open
            .statement(`SELECT account FROM calls WHERE target = ? ORDER BY at DESC LIMIT ${stepRows}`)
            .all(clusterKey(cluster))
            .map((row) => String(row['account'])),
        ),
      ]),
    lastCalls: (targets) => readLastCalls(store, targets),
    callsSince: (since, page) => readCallsSince(store, since, page),
    names: (what) =>
      store.use((open) =>
        open
          .statement(
            what === 'cluster'
              ? // One seek a name, however many calls it has.
                `WITH RECURSIVE named(name) AS (
                   SELECT min(target) FROM calls
                   UNION ALL
                   SELECT (SELECT min(target) FROM calls WHERE target > name) FROM named WHERE name IS NOT NULL
                 ) SELECT name FROM named WHERE name IS NOT NULL LIMIT ${nameLimit}`
              : `SELECT DISTINCT account AS name FROM grants LIMIT ${nameLimit}`,
          )
          .all()
          .map((row) => String(row['name']))
          .flatMap((named) => (what === 'cluster' ? (clusterOf(targetOfKey(named)) ?? []) : named)),
      ),
  };
}

/** The newest events of one kind, newest first. Each step begins after the last row of the one before. */
async function newestOf(
  store: Pick<HistoryStore, 'use'>,
  table: EventTable,
  query: HistoryQuery,
): Promise<RecordedEvent[]> {
  const { table: name } = table;
  const target = query.target ?? (query.cluster === undefined ? null : clusterName(query.cluster));
  // The kinds with their own index; all others are searched by time.
  const [by, value] =
    table.kind === 'call' && target !== null
      ? ['calls.target', targetKey(target)]
      : table.kind === 'pluginRun' && query.account !== undefined
        ? ['plugin_runs.account', query.account]
        : [null, ''];
  const sql = `${selectFrom(table)}
    WHERE ${by === null ? '' : `${by} = ? AND `}${name}.at BETWEEN ? AND ? AND NOT (${name}.at = ? AND ${name}.id >= ?)
    ORDER BY ${name}.at DESC, ${name}.id DESC LIMIT ${stepRows}`;
  const found: RecordedEvent[] = [];
  let before = query.before ?? { at: Number.MAX_SAFE_INTEGER, id: 0 };
  for (;;) {
    const rows = store.use((open) =>
      open
        .statement(sql)
        .all(...(by === null ? [] : [value]), Math.trunc(query.since), before.at, before.at, before.id)
        .map((row) => recorded(table, row)),
    );
    found.push(...rows.filter(({ event }) => isAbout(event, query)));
    const last = rows.at(-1);
    if (rows.length < stepRows || !last || found.length >= query.limit) {
      return found.slice(0, query.limit);
    }
    before = last;
    await nextTurn();
  }
}

function isAbout(event: HistoryEvent, { cluster, target, account, matching }: HistoryQuery): boolean {
  return (
    (matching === undefined || matching(event)) &&
    (cluster === undefined || ('target' in event && clusterOf(event.target) === cluster)) &&
    (target === undefined || ('target' in event && isSameTarget(event.target, target))) &&
    (account === undefined || ('account' in event && event.account === account))
  );
}

function recorded(table: EventTable, row: Row): RecordedEvent {
  return { id: Number(row['id']), at: Number(row['at']), event: table.fromRow(row) };
}

async function programsOf(
  store: Pick<HistoryStore, 'use'>,
  cluster: string,
  since: number,
): Promise<ProgramUse[]> {
  const uses = new Map<string | null, ProgramUse>();
  let before = { at: Number.MAX_SAFE_INTEGER, id: 0 };
  for (;;) {
    const rows = store.use((open) =>
      open
        .statement(
          `SELECT calls.id, at, outcome, executable FROM calls LEFT JOIN callers ON callers.id = caller_id
           WHERE target = ? AND at BETWEEN ? AND ? AND NOT (at = ? AND calls.id >= ?)
           ORDER BY at DESC, calls.id DESC LIMIT ${stepRows * 4}`,
        )
        .all(clusterKey(cluster), Math.trunc(since), before.at, before.at, before.id),
    );
    for (const row of rows) {
      const executable = row['executable'] as string | null;
      const use = uses.get(executable) ?? { executable, handedOut: 0, refused: 0, lastAt: Number(row['at']) };
      use[row['outcome'] === 'handedOut' ? 'handedOut' : 'refused'] += 1;
      uses.set(executable, use);
    }
    const last = rows.at(-1);
    if (rows.length < stepRows * 4 || !last) {
      return [...uses.values()].sort((a, b) => b.handedOut + b.refused - a.handedOut - a.refused);
    }
    before = { at: Number(last['at']), id: Number(last['id']) };
    await nextTurn();
  }
}
