import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { requestKinds } from '../../main/contract/ui/activity-kinds.ts';
import { createHistory, type History } from '../../main/history/index.ts';
import { oneOfEach } from '../../main/history/testing/sample-events.ts';
import type { HistoryEvent } from '../../main/ports/history.ts';
import { silentLog } from '../../main/ports/log.ts';
import { bundled } from '../support/bundled.ts';
import { chosenPoints, seedInTitle } from '../support/long.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { run } from '../support/processes.ts';

/** Of the long form, which kills at each of them. */
vi.setConfig({ testTimeout: 900_000 });

/** One event of each kind that version 1 knew, as its own code wrote them. */
const versionOne = readFileSync(new URL('../support/history-version-1.sql', import.meta.url), 'utf8');
/** More than are summed up at a time. */
const manyRows = 1_000;
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

const callOf = (() => {
  const call = oneOfEach.find((event) => event.kind === 'call');
  return call?.kind === 'call' ? call : expect.unreachable();
})();

/** What version 1 had no place for is not known. */
const asVersionOneKnew = oneOfEach
  .filter(
    ({ kind }) =>
      kind !== 'pluginRun' && kind !== 'inventory' && !(requestKinds as readonly string[]).includes(kind),
  )
  .map((event) =>
    event.kind === 'generation'
      ? { ...event, previousLife: null, target: null, replacedCertificateAge: null }
      : event.kind === 'approval'
        ? { ...event, where: null }
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

  it(`is brought up whole or not at all, wherever that is killed, and summed up once${seedInTitle}`, async () => {
    const program = await bundled('history-upgrade-process');
    onTestFinished(() => program.dispose());
    const bringUp = (at = 0) => run(process.execPath, [program.path, file, String(at)]);
    const before = join(home, 'before.db');
    writeVersionOne(
      before,
      `WITH RECURSIVE numbers(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${manyRows + 999})
       INSERT INTO generations SELECT n, 1767225600000, 1, n, 'ahead', 'certificate', NULL, NULL, n FROM numbers;
       WITH RECURSIVE numbers(n) AS (SELECT 100000 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${manyRows + 99_999})
       INSERT INTO calls SELECT n, 1767225600000 + n * 60000, 'kube', 1 + n % 2, 1, '1', 'corp', 'c' || (n % 3), NULL,
         'handedOut', 'held', 1, n FROM numbers;`,
    );
    copyFileSync(before, file);
    const whole = await bringUp();
    expect(whole.code, whole.stderr).toBe(0);
    for (const at of chosenPoints(Number(whole.stdout), 4)) {
      for (const name of readdirSync(home).filter((each) => each.startsWith('history.db'))) {
        rmSync(join(home, name));
      }
      copyFileSync(before, file);
      expect((await bringUp(at)).signal).toBe('SIGKILL');
      const version = Number(read('PRAGMA user_version')?.['user_version']);
      expect([1, 2, 3, 4, 5, 6, 7, 8, 9]).toContain(version);
      expect(columns('generations').includes('previous_life')).toBe(version >= 2);
      expect(columns('plugin_runs').length > 0).toBe(version >= 2);
      expect(columns('call_hours').length > 0).toBe(version >= 3);
      expect(columns('approvals').includes('place')).toBe(version >= 4);
      expect(columns('calls').includes('target')).toBe(version >= 6);
      expect(columns('plugin_runs').includes('plugin')).toBe(version >= 7);
      expect(columns('inventory_events').length > 0).toBe(version >= 8);
      expect(columns('requests').length > 0).toBe(version >= 9);
      void open().dispose();
      expect(read('PRAGMA user_version')).toEqual({ user_version: 9 });
      expect(
        read('SELECT count(*) AS count, sum(previous_age) AS sum FROM generations WHERE id >= 1000'),
      ).toEqual({
        count: manyRows,
        sum: (manyRows * (manyRows + 1_999)) / 2,
      });
      const history = open();
      expect(
        (await history.reader.events({ since: 0, limit: 5, kinds: ['login', 'logout'] })).events,
      ).toHaveLength(3);
      await history.reader.askers({ cluster: 'none', since: 0, until: day });
      void history.dispose();
      expect(read('SELECT count(*) AS count FROM waiting_for_sums WHERE last_id IS NOT NULL')).toEqual({
        count: 0,
      });
      expect(rows(sums)).toEqual(rows(counts));
      expect(rows(askerSums)).toEqual(rows(askerCounts));
    }
  });
});

const sums =
  'SELECT target, hour, sum(calls) AS calls FROM call_hours GROUP BY target, hour ORDER BY target, hour';
const counts = `SELECT coalesce(target, '') AS target, at / 3600000 AS hour, count(*) AS calls FROM calls
  GROUP BY 1, 2 ORDER BY 1, 2`;
const askerSums = 'SELECT * FROM asker_days ORDER BY target, day, executable';
const askerCounts = `SELECT target, at / 86400000 AS day, coalesce(executable, '') AS executable, count(*) AS calls,
    count(*) FILTER (WHERE outcome = 'refused') AS refused, max(at) AS last_at
  FROM calls LEFT JOIN callers ON callers.id = caller_id WHERE target IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

describe('a history of version 2', () => {
  it('is brought up, and the plugins’ runs of before count', async () => {
    writeVersionOne(file);
    void open().dispose();
    {
      using database = new DatabaseSync(file);
      database.exec(`${laterThanTwo} PRAGMA user_version = 2;
        INSERT INTO plugin_runs VALUES (20, 1767225600000, 'eks', NULL, 'broker', 'no_error', 0, NULL, 600),
          (21, 1767229200000, 'eks', 'prod', 'caller', 'no_error', 0, 'execPlugin.garbage', 600),
          (22, 1767229200001, 'eks', 'prod', 'caller', 'plugin_execution_error', 255, 'execPlugin.failed', 600);`);
    }
    const history = open();
    for (const event of oneOfEach.filter(({ kind }) => kind === 'pluginRun')) {
      history.record(event);
    }
    await history.reader.askers({ cluster: 'none', since: 0, until: day });
    void history.dispose();
    expect(read('SELECT sum(runs) AS runs, sum(answered * runs) AS answered FROM run_hours')).toEqual({
      runs: 5,
      answered: 2,
    });
    expect(read('SELECT sum(calls) AS calls FROM call_hours')).toEqual({ calls: 2 });
  });
});

/** Once for each of three names, of which the step to version 6 makes the next one. */
const nested = (statement: string) =>
  ['a b', 'cluster a b', 'cluster cluster a b'].map((name) => statement.replace('?', `'${name}'`)).join(' ');

/** What tables and columns were before version 6. */
const beforeTargets = ['calls', 'generations', 'rejections', 'approvals', 'plugin_runs']
  .map((table) => `ALTER TABLE ${table} RENAME COLUMN target TO cluster;`)
  .concat('ALTER TABLE plugin_runs DROP COLUMN plugin;')
  .concat(['inventory_events', 'requests', 'more_requests'].map((table) => `DROP TABLE ${table};`))
  .join(' ');

const laterThanTwo = `${beforeTargets} ALTER TABLE approvals DROP COLUMN place; DROP TABLE call_hours; DROP TABLE asker_days; DROP TABLE run_hours; DROP TABLE waiting_for_sums;
  DROP INDEX generations_by_grant; DROP INDEX rejections_by_cluster; DROP INDEX renewals_failed;
  DROP INDEX logins_by_account; DROP INDEX logouts_by_account;`;

describe('a history of version 5', () => {
  it('has targets where it had clusters; a name with a space stays a cluster’s', async () => {
    writeVersionOne(file);
    void open().dispose();
    {
      using database = new DatabaseSync(file);
      const sums = ['call_hours', 'asker_days', 'run_hours']
        .map((table) => `ALTER TABLE ${table} RENAME COLUMN target TO cluster;`)
        .join(' ');
      database.exec(`${beforeTargets} ${sums} PRAGMA user_version = 5;
        INSERT INTO calls SELECT 900, at, door, caller_id, pid, start_time, account, 'registry prod', audience, outcome,
          reason, generation, microseconds FROM calls WHERE id = 1;
        INSERT INTO call_hours VALUES ('registry prod', 490896, 'corp', 'refused', 'cluster.unknown', 0, 3);
        ${nested("INSERT INTO call_hours VALUES (?, 490896, 'corp', 'refused', 'cluster.unknown', 0, 5);")}
        ${nested("INSERT INTO asker_days VALUES (?, 20454, '', 5, 5, 1767225600000);")}
        ${nested("INSERT INTO run_hours VALUES ('eks', 490896, ?, 'no_error', 0, 1, 5);")}`);
    }
    const history = open();
    const { events } = await history.reader.events({ since: 0, limit: 10, kinds: ['call'] });
    expect(events.map(({ event }) => event.kind === 'call' && event.target)).toEqual([
      { kind: 'cluster', name: 'prod' },
      null,
      { kind: 'cluster', name: 'registry prod' },
    ]);
    expect(history.reader.names('cluster').toSorted()).toEqual(['prod', 'registry prod']);
    void history.dispose();
    expect(rows('SELECT target, calls FROM call_hours WHERE calls = 3')).toEqual([
      { target: 'cluster registry prod', calls: 3 },
    ]);
    for (const [table, count] of [
      ['call_hours', 'calls'],
      ['asker_days', 'calls'],
      ['run_hours', 'runs'],
    ]) {
      expect(rows(`SELECT target FROM ${table} WHERE ${count} = 5 ORDER BY target`)).toEqual([
        { target: 'cluster a b' },
        { target: 'cluster cluster a b' },
        { target: 'cluster cluster cluster a b' },
      ]);
    }
    expect(readdirSync(home)).toEqual(['history.db']);
  });

  it('keeps a registry and a cluster of one name apart', async () => {
    const history = open();
    const of = (target: { kind: string; name: string }) => ({ ...callOf, target });
    for (const kind of ['registry', 'cluster']) {
      history.record(of({ kind, name: 'prod' }));
    }
    const { events } = await history.reader.events({ since: 0, limit: 10, cluster: 'prod' });
    expect(events.map(({ event }) => event.kind === 'call' && event.target)).toEqual([
      { kind: 'cluster', name: 'prod' },
    ]);
    expect(history.reader.names('cluster')).toEqual(['prod']);
    expect((await history.reader.events({ since: 0, limit: 10 })).events).toHaveLength(2);
    void history.dispose();
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
  expect(await events(history)).toHaveLength(3);
  clock.advance(2 * day);
  for (let step = 0; step < 100; step++) {
    clock.advance(1_000);
  }
  expect(await events(history)).toEqual([]);
  void history.dispose();
});

function read(sql: string): Record<string, unknown> {
  using database = new DatabaseSync(file);
  return { ...database.prepare(sql).get() };
}

function rows(sql: string): Record<string, unknown>[] {
  using database = new DatabaseSync(file);
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
}

function columns(table: string): string[] {
  using database = new DatabaseSync(file);
  return database
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map((row) => String(row['name']));
}
