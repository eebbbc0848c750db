import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHistory, type History } from '../../main/history/index.ts';
import { oneOfEach } from '../../main/history/testing/sample-events.ts';
import type { HistoryEvent } from '../../main/ports/history.ts';
import { silentLog } from '../../main/ports/log.ts';
import { ManualClock } from '../support/manual-clock.ts';

const program = fileURLToPath(new URL('../support/history-upgrade-process.ts', import.meta.url));
/** One event of each kind that version 1 knew, as its own code wrote them. */
const versionOne = readFileSync(new URL('../support/history-version-1.sql', import.meta.url), 'utf8');
const manyRows = 30_000;
const stepMilliseconds = process.env['LANYARD_LONG'] === '1' ? 5 : 15;
const day = 86_400_000;

let home: string;
let file: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ly-versions-'));
  file = join(home, 'history.db');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function writeVersionOne(at: string, more = ''): void {
  using database = new DatabaseSync(at);
  database.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; ${versionOne} ${more}`);
}

function open(clock = new ManualClock()): History {
  return createHistory({ file, clock, log: silentLog });
}

async function events(history: History): Promise<HistoryEvent[]> {
  const found = await history.reader.events({ since: 0, limit: 2 * manyRows });
  return found.events.map(({ event }) => event);
}

/** What version 1 had no place for is not known. */
const asVersionOneKnew = oneOfEach
  .filter(({ kind }) => kind !== 'pluginRun')
  .map((event) =>
    event.kind === 'generation'
      ? { ...event, previousLife: null, cluster: null, replacedCertificateAge: null }
      : event,
  );

describe('a history of version 1', () => {
  it('is brought up with nothing lost, and takes what is new', async () => {
    writeVersionOne(file);
    const history = open();
    expect(await events(history)).toEqual(asVersionOneKnew);
    for (const event of oneOfEach) {
      history.record(event);
    }
    expect((await events(history)).slice(asVersionOneKnew.length)).toEqual(oneOfEach);
    expect(history.reader.lastId()).toBe(asVersionOneKnew.length + oneOfEach.length);
    expect(history.problems()).toEqual([]);
    void history.dispose();
    expect(readdirSync(home)).toEqual(['history.db']);
  });

  it('is brought up whole or not at all, wherever that is killed', { timeout: 300_000 }, async () => {
    const before = join(home, 'before.db');
    writeVersionOne(
      before,
      `WITH RECURSIVE numbers(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${manyRows + 999})
       INSERT INTO generations SELECT n, 1767225600000, 1, n, 'ahead', 'certificate', NULL, NULL, n FROM numbers;`,
    );
    let isDone = false;
    for (let milliseconds = 0; milliseconds < 1_000 && !isDone; milliseconds += stepMilliseconds) {
      for (const name of readdirSync(home).filter((each) => each.startsWith('history.db'))) {
        rmSync(join(home, name));
      }
      copyFileSync(before, file);
      isDone = await killedAfter(milliseconds);
      const { user_version: version } = read('PRAGMA user_version');
      expect([1, 2]).toContain(version);
      expect(columns('generations').includes('previous_life')).toBe(version === 2);
      expect(columns('plugin_runs').length > 0).toBe(version === 2);
      void open().dispose();
      expect(read('PRAGMA user_version')).toEqual({ user_version: 2 });
      expect(
        read('SELECT count(*) AS count, sum(previous_age) AS sum FROM generations WHERE id >= 1000'),
      ).toEqual({
        count: manyRows,
        sum: (manyRows * (manyRows + 1_999)) / 2,
      });
      const history = open();
      expect(
        (await history.reader.events({ since: 0, limit: 2_000, kinds: ['call', 'login'] })).events,
      ).toHaveLength(4);
      void history.dispose();
    }
    expect(isDone).toBe(true);
  });
});

it('a plugin’s runs go when they are older than is kept, as all else does', async () => {
  const clock = new ManualClock();
  const history = open(clock);
  history.keep(30 * day);
  for (const event of oneOfEach.filter(({ kind }) => kind === 'pluginRun')) {
    history.record(event);
  }
  clock.advance(29 * day);
  clock.advance(60_000);
  expect(await events(history)).toHaveLength(2);
  clock.advance(2 * day);
  for (let step = 0; step < 100; step++) {
    clock.advance(1_000);
  }
  expect(await events(history)).toEqual([]);
  void history.dispose();
});

/** Kills a process so long after it began to open the history; true where that had it open by then. */
async function killedAfter(milliseconds: number): Promise<boolean> {
  const child = fork(program, [file], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // From the beginning: one that was done in time ends by itself, before it is killed.
  const closed = once(child, 'close');
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  await once(child, 'message');
  await sleep(milliseconds);
  child.kill('SIGKILL');
  await closed;
  return messages.includes('open');
}

function read(sql: string): Record<string, unknown> {
  using database = new DatabaseSync(file);
  return { ...database.prepare(sql).get() };
}

function columns(table: string): string[] {
  using database = new DatabaseSync(file);
  return database
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map((row) => String(row['name']));
}
