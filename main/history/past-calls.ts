import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PastCall, RecordedEvent } from '../ports/history-reader.ts';
import { type EventTable, eventTables, selectFrom } from './event-tables.ts';
import type { HistoryStore } from './history-store.ts';

/** One seek each: targets of one step. */
const stepTargets = 50;
const stepRows = 1_000;

const calls = eventTables.call as EventTable;
const lastCall = `${selectFrom(calls)} WHERE calls.target = ? ORDER BY calls.at DESC, calls.id DESC LIMIT 1`;

/** The last call for each of these targets (`targetKey`) that has one; a step at a time. */
export async function readLastCalls(
  store: Pick<HistoryStore, 'use'>,
  targets: readonly string[],
): Promise<ReadonlyMap<string, RecordedEvent>> {
  const found = new Map<string, RecordedEvent>();
  for (let from = 0; from < targets.length; from += stepTargets) {
    store.use((open) => {
      const statement = open.statement(lastCall);
      for (const target of targets.slice(from, from + stepTargets)) {
        const row = statement.get(target);
        if (row) {
          found.set(target, { id: Number(row['id']), at: Number(row['at']), event: calls.fromRow(row) });
        }
      }
    });
    await nextTurn();
  }
  return found;
}

/** Calls from then on, oldest first; a page at a time. */
export async function readCallsSince(
  store: Pick<HistoryStore, 'use'>,
  since: number,
  page: (calls: readonly PastCall[]) => void,
): Promise<void> {
  let after = { at: Math.trunc(since), id: 0 };
  for (;;) {
    const rows = store.use((open) =>
      open
        .statement(
          `SELECT id, at, outcome, reason, microseconds FROM calls
           WHERE at >= ? AND NOT (at = ? AND id <= ?) ORDER BY at, id LIMIT ${stepRows}`,
        )
        .all(after.at, after.at, after.id),
    );
    page(
      rows.map((row) => ({
        id: Number(row['id']),
        at: Number(row['at']),
        outcome: row['outcome'] as PastCall['outcome'],
        reason: String(row['reason']),
        microseconds: Number(row['microseconds']),
      })),
    );
    const last = rows.at(-1);
    if (rows.length < stepRows || !last) {
      return;
    }
    after = { at: Number(last['at']), id: Number(last['id']) };
    await nextTurn();
  }
}
