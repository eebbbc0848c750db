import type { Disposable } from '../base/disposables.ts';
import type { Clock } from '../ports/clock.ts';
import type { BatchRecorder, HistoryEvent, Recorder } from '../ports/history.ts';
import type { HistoryReader, RecordedEvent } from '../ports/history-reader.ts';
import type { Log } from '../ports/log.ts';
import { type EventTable, eventTables } from './event-tables.ts';
import { HistoryStore } from './history-store.ts';
import type { OpenHistory } from './open-history.ts';
import { createHistoryReader } from './reader.ts';
import { createUpkeep } from './upkeep.ts';

export interface HistoryDeps {
  /** `history.db` under the home. */
  file: string;
  clock: Clock;
  log: Log;
}

/** What is remembered, in one SQLite file. */
export interface History extends Recorder, BatchRecorder, Disposable {
  readonly file: string;
  readonly reader: HistoryReader;
  /** What the user should know of it: sentences; empty: all is well. */
  problems(): readonly string[];
  /** Keeps events for so long from now on; until it is told, nothing is removed. */
  keep(milliseconds: number): void;
}

/**
 * The history of one home. A call's record is with the operating system when `record` returns, so that it stays when
 * the process is killed; a loss of power may lose the last moments. A file that can't be opened now is tried again
 * with each record: the broker starts anyway, and issues nothing meanwhile.
 */
export function createHistory({ file, clock, log }: HistoryDeps): History {
  const store = new HistoryStore({ file, clock, log });
  const listeners = new Set<(recorded: RecordedEvent) => void>();
  const reader = createHistoryReader(store, listeners);
  const upkeep = createUpkeep({ store, clock, log });
  // Made once: the same text for each call finds its prepared statement.
  const insertions = new Map(Object.values(eventTables).map((table) => [table.kind, insertInto(table)]));
  try {
    store.use(() => undefined);
  } catch {
    // Said in the log and in status.
  }
  /** Its id. */
  function insert(open: OpenHistory, at: number, event: HistoryEvent): number {
    const id = open.nextId();
    const values = (eventTables[event.kind] as EventTable).toRow(event, open);
    open.statement(insertions.get(event.kind) ?? '').run(id, at, ...values);
    return id;
  }
  return {
    file,
    reader,
    record(event) {
      const at = clock.now();
      let id: number;
      try {
        id = store.write((open) => {
          const inserted = insert(open, at, event);
          open.isSummedUp = false;
          return inserted;
        });
      } catch (error) {
        if (event.kind === 'call') {
          throw error;
        }
        return;
      }
      upkeep.noteRecords(1);
      for (const listener of listeners) {
        listener({ id, at, event });
      }
    },
    recordAll(events) {
      const recorded: RecordedEvent[] = [];
      try {
        store.write((open) => {
          recorded.length = 0;
          open.transaction(() => {
            for (const { at, event } of events) {
              recorded.push({ id: insert(open, at, event), at, event });
            }
          });
        });
      } catch {
        // The store has said it.
        return;
      }
      upkeep.noteRecords(events.length);
      for (const each of recorded) {
        for (const listener of listeners) {
          listener(each);
        }
      }
    },
    problems: () => store.problems(),
    keep: (milliseconds) => upkeep.keep(milliseconds),
    dispose() {
      void upkeep.dispose();
      store.close();
    },
  };
}

function insertInto({ table, columns }: Pick<EventTable, 'table' | 'columns'>): string {
  return `INSERT INTO ${table} (id, at, ${columns.join(', ')}) VALUES (?, ?${', ?'.repeat(columns.length)})`;
}
