import type { Disposable } from '../base/disposables.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type EventTable, eventTables } from './event-tables.ts';
import { removeAsideBefore } from './history-files.ts';
import type { HistoryStore } from './history-store.ts';
import type { OpenHistory } from './open-history.ts';
import { hourOf, pruneSums, sumUpStep } from './sums.ts';

/** Each step is well under 2 ms of work; callers have their turn in between. */
const stepRows = 200;
const vacuumPages = 32;
const betweenStepsMilliseconds = 25;
/** Nothing was recorded for this long: no caller is being answered. */
const quietMilliseconds = 250;
/** A broker that is never quiet is kept up all the same. */
const patience = 20;
const restMilliseconds = 60_000;
/** After this many records their log is written back before it grows large. */
const manyRecords = 500;
const dayMilliseconds = 86_400_000;

export interface UpkeepDeps {
  store: HistoryStore;
  clock: Clock;
  log: Log;
}

export interface Upkeep extends Disposable {
  /** So many events were recorded. */
  noteRecords(count: number): void;
  /** What is older than this, in milliseconds, goes; nothing does until it is told. */
  keep(milliseconds: number): void;
}

/** Removes what is older than is kept, gives its room back, and writes SQLite's log back: in steps, in quiet moments. */
export function createUpkeep({ store, clock, log }: UpkeepDeps): Upkeep {
  let kept = Number.POSITIVE_INFINITY;
  /** The wall clock against one that can't be set: a clock set years ahead by mistake must not cost the history. */
  const wallAhead = clock.now() - clock.boottime();
  let timer: Disposable | null = null;
  let ended = false;
  let lastRecordAt = Number.NEGATIVE_INFINITY;
  let unwritten = 0;
  let deferred = 0;
  let asideLookedAt = Number.NEGATIVE_INFINITY;
  /** Sums are per hour: checked once in each. */
  let sumsPrunedTo = Number.NEGATIVE_INFINITY;

  function schedule(milliseconds: number): void {
    timer?.dispose();
    timer = ended ? null : clock.after(milliseconds, run);
  }

  function run(): void {
    if (clock.boottime() - lastRecordAt < quietMilliseconds && deferred < patience) {
      deferred += 1;
      schedule(quietMilliseconds);
      return;
    }
    deferred = 0;
    try {
      schedule(step() ? betweenStepsMilliseconds : restMilliseconds);
    } catch {
      // The store has said it; the next call's record tries again.
      schedule(restMilliseconds);
    }
  }

  /** True where more is to be done soon. */
  function step(): boolean {
    const isClockRight = Math.abs(clock.now() - clock.boottime() - wallAhead) < dayMilliseconds;
    const before = isClockRight ? clock.now() - kept : Number.NEGATIVE_INFINITY;
    const more = store.use(
      (open) =>
        sumUpStep(open) ||
        (Number.isFinite(before) && (prune(open, before, clock.now()) || pruneOldSums(open, before))) ||
        giveBack(open),
    );
    if (!more) {
      if (unwritten > 0) {
        store.use((open) => open.database.exec('PRAGMA wal_checkpoint(PASSIVE)'));
        unwritten = 0;
      }
      lookAtOldFiles(before);
    }
    return more;
  }

  function pruneOldSums(open: OpenHistory, before: number): boolean {
    const hour = hourOf(before);
    if (hour === sumsPrunedTo) {
      return false;
    }
    const more = pruneSums(open, before);
    sumsPrunedTo = more ? sumsPrunedTo : hour;
    return more;
  }

  function lookAtOldFiles(before: number): void {
    if (clock.boottime() - asideLookedAt > dayMilliseconds / 24) {
      asideLookedAt = clock.boottime();
      const removed = removeAsideBefore(store.file, before);
      if (removed.length > 0) {
        log.info('history.removedOld', { files: removed });
      }
    }
  }

  schedule(restMilliseconds);
  return {
    noteRecords(count) {
      lastRecordAt = clock.boottime();
      unwritten += count;
      if (unwritten % manyRecords < count) {
        schedule(quietMilliseconds);
      }
    },
    keep(milliseconds) {
      if (milliseconds !== kept) {
        kept = milliseconds;
        schedule(betweenStepsMilliseconds);
      }
    },
    dispose() {
      ended = true;
      timer?.dispose();
    },
  };
}

/** Removes a step's worth of rows from before then; false where there are none. */
function prune(open: OpenHistory, before: number, now: number): boolean {
  for (const { table, keep = Number.POSITIVE_INFINITY } of Object.values(eventTables) as EventTable[]) {
    if (removeStep(open, table, 'at', Math.max(before, now - keep))) {
      return true;
    }
  }
  // Rows point to them from up to a day after they were last noted as seen.
  const links = ['callers', 'grants'].filter((table) =>
    removeStep(open, table, 'last_seen', before - 2 * dayMilliseconds),
  );
  if (links.length > 0) {
    open.forgetLinks();
  }
  return links.length > 0;
}

function removeStep(open: OpenHistory, table: string, column: 'at' | 'last_seen', before: number): boolean {
  const { changes } = open
    .statement(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ${stepRows})`,
    )
    .run(Math.trunc(before));
  return Number(changes) > 0;
}

/** Gives a step's worth of free pages back to the file system; false where there are none. */
function giveBack(open: OpenHistory): boolean {
  const free = Number(open.statement('PRAGMA freelist_count').get()?.['freelist_count'] ?? 0);
  if (free > 0) {
    open.database.exec(`PRAGMA incremental_vacuum(${vacuumPages})`);
  }
  return free > 0;
}
