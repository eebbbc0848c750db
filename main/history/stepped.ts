import type { SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Span } from '../ports/history-figures.ts';
import type { Row } from './event-tables.ts';
import type { HistoryStore } from './history-store.ts';

/** Seeks between two turns of the event loop: about a millisecond's work. */
const seeksPerTurn = 60;

/** Rows of one table that an index holds in the order of their time. Texts of this folder, never made of names. */
export interface Rows {
  table: string;
  /** With a `?` for each of `values`. */
  where: string;
  values: readonly SQLInputValue[];
  columns: string;
}

/** Rows of one step of a span: the first and the last of them, which may be the same. */
export interface Stepped {
  first: Row;
  last: Row;
  count: number;
}

/**
 * Rows of a span, oldest first: each on its own where there are at most `most`, else combined for each of `most`
 * equal steps. A step costs the same however many rows are in it, except for counting them in their index.
 */
export async function readStepped(
  store: Pick<HistoryStore, 'use'>,
  rows: Rows,
  { since, until }: Span,
  most: number,
): Promise<Stepped[]> {
  const { table, where, values, columns } = rows;
  const inSpan = `FROM ${table} WHERE ${where} AND at >= ? AND at < ?`;
  const sql = {
    all: `SELECT id, at, ${columns} ${inSpan} ORDER BY at, id LIMIT ?`,
    first: `SELECT id, at, ${columns} ${inSpan} ORDER BY at, id LIMIT 1`,
    last: `SELECT id, at, ${columns} ${inSpan} ORDER BY at DESC, id DESC LIMIT 1`,
    count: `SELECT count(*) AS count ${inSpan}`,
  };
  const few = store.use((open) => open.statement(sql.all).all(...values, since, until, most + 1));
  if (few.length <= most) {
    return few.map((row) => ({ first: row, last: row, count: 1 }));
  }
  const width = Math.max(1, Math.ceil((until - since) / most));
  const found: Stepped[] = [];
  let from: number | null = since;
  while (from !== null) {
    await nextTurn();
    from = store.use((open) => {
      let at: number | null = from;
      for (let seeks = 0; at !== null && seeks < seeksPerTurn; seeks += 3) {
        const first = open.statement(sql.first).get(...values, at, until);
        if (!first) {
          return null;
        }
        const end = Math.min(until, since + (Math.floor((Number(first['at']) - since) / width) + 1) * width);
        const last = open.statement(sql.last).get(...values, at, end) ?? first;
        const count =
          last['id'] === first['id'] ? 1 : open.statement(sql.count).get(...values, at, end)?.['count'];
        found.push({ first, last, count: Number(count) });
        at = end < until ? end : null;
      }
      return at;
    });
  }
  return found;
}

/** The last row before a moment, or the first from then on. */
export function nearest(
  store: Pick<HistoryStore, 'use'>,
  { table, where, values, columns }: Rows,
  side: 'before' | 'from',
  at: number,
): Row | undefined {
  const [sign, order] = side === 'before' ? ['<', 'DESC'] : ['>=', 'ASC'];
  return store.use((open) =>
    open
      .statement(
        `SELECT id, at, ${columns} FROM ${table} WHERE ${where} AND at ${sign} ? ORDER BY at ${order}, id ${order} LIMIT 1`,
      )
      .get(...values, at),
  );
}
