import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createHistory } from '../../main/history/index.ts';
import { callEvent } from '../../main/history/testing/sample-events.ts';
import { silentLog } from '../../main/ports/log.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export interface YearOptions {
  /** Of all kinds together. */
  rows: number;
  /** The year ends there, in milliseconds since 1970. */
  now: number;
  days?: number;
  /** How long each credential of the first cluster lives: the lane has a few hundred thousand of them at most. */
  lifeMilliseconds?: number;
}

/** Names in a history that `makeYear` wrote: nine of ten rows are of the first cluster. */
export const yearNames = {
  clusters: ['prod', 'dev', 'stage', 'edge'],
  account: 'corp',
  plugin: 'eks',
} as const;

/**
 * Writes a year of history: calls by five programs, credentials that are renewed all the while, refusals, 401s, failed
 * renewals, logins, and a wrapped plugin's runs and rotated certificates. The same numbers give the same rows.
 */
export function makeYear(file: string, options: YearOptions): void {
  const { rows, now, days = 365, lifeMilliseconds = 5 * minute } = options;
  begin(file);
  using database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN');
  const since = now - days * day;
  const write = writer(database);
  const generations = Math.min(Math.floor((days * day) / lifeMilliseconds), Math.floor(rows / 5));
  const life = (days * day) / generations;
  const plugin = Math.min(Math.floor(rows / 20), days * 24);
  const calls = rows - 2 * generations - 3 * plugin;
  for (let index = 0; index < generations; index++) {
    const at = since + Math.floor(index * life);
    write.generation(at, index, life);
  }
  for (let index = 0; index < plugin; index++) {
    write.plugin(since + Math.floor((index / plugin) * days * day), index);
  }
  for (let index = 0; index < calls; index++) {
    write.call(since + Math.floor((index / calls) * days * day), index);
  }
  database.exec('COMMIT');
}

function begin(file: string): void {
  const clock = {
    now: Date.now,
    boottime: () => performance.now(),
    after: () => ({ dispose: () => undefined }),
  };
  const history = createHistory({ file, clock, log: silentLog });
  history.record(callEvent());
  void history.dispose();
}

/** Writes rows with ids in the order in which they come: events of one kind are in the order of their time. */
function writer(database: DatabaseSync) {
  const run = (statement: StatementSync, ...values: (string | number | null)[]) => statement.run(...values);
  database.exec('DELETE FROM calls; DELETE FROM call_hours; DELETE FROM asker_days; DELETE FROM callers');
  const caller = database.prepare(
    "INSERT INTO callers VALUES (?, 1000, ?, NULL, ?, '9', NULL, 'local', 1, 1, 4102444800000)",
  );
  ['kubectl', 'k9s', 'helm', 'argocd', 'flux'].forEach((program, index) => {
    run(caller, index + 1, `/usr/bin/${program}`, 100 + index);
  });
  database.exec(
    `INSERT INTO grants VALUES (1, 'corp', NULL, 4102444800000), (2, 'eks', NULL, 4102444800000)`,
  );
  const call = database.prepare(
    "INSERT INTO calls VALUES (?, ?, 'kube', ?, ?, '1', 'corp', ?, NULL, ?, ?, ?, ?)",
  );
  const generation = database.prepare(
    'INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)',
  );
  const renewal = database.prepare('INSERT INTO renewals VALUES (?, ?, ?, ?, ?, ?, ?)');
  const rejection = database.prepare("INSERT INTO rejections VALUES (?, ?, 1, 'prod', ?, ?, 'renewed')");
  const login = database.prepare(
    "INSERT INTO logins VALUES (?, ?, 'corp', 'browser', 'done', NULL, 'https://id.example.com', 'abc', 'Alice')",
  );
  const pluginRun = database.prepare(
    "INSERT INTO plugin_runs VALUES (?, ?, 'eks', 'edge', 'broker', ?, ?, ?, ?, 'execPlugin')",
  );
  let id = 0;
  const next = () => ++id;
  return {
    call(at: number, index: number): void {
      const cluster = index % 10 === 9 ? yearNames.clusters[1 + (index % 3)] : yearNames.clusters[0];
      const refused = index % 211 === 0 ? (index % 2 === 0 ? 'oidc.unreachable' : 'approval.denied') : null;
      const microseconds = 300 + ((index * 7_919) % 900) + (index % 50 === 0 ? 400_000 : 0);
      run(
        call,
        next(),
        at,
        1 + (index % 5),
        1_000 + (index % 1_000),
        cluster ?? 'prod',
        refused ? 'refused' : 'handedOut',
        refused ?? (index % 40 === 0 ? 'renewed' : 'held'),
        refused ? null : 1 + (index % 1_000),
        microseconds,
      );
    },
    generation(at: number, index: number, life: number): void {
      const failed = index % 501 === 500;
      run(
        renewal,
        next(),
        at,
        1,
        'ahead',
        failed ? 'failed' : 'renewed',
        failed ? 'oidc.unreachable' : null,
        90,
      );
      if (!failed) {
        const why = index % 2_000 === 0 ? 'loggedIn' : 'ahead';
        run(
          generation,
          next(),
          at,
          1,
          index,
          why,
          'token',
          at,
          Math.floor(at + life * 1.05),
          null,
          null,
          null,
        );
      }
      if (index % 3_001 === 17) {
        run(rejection, next(), at, index, index % 2 === 0 ? 'rejected' : 'accepted');
      }
      if (index % 2_000 === 0) {
        run(login, next(), at);
      }
    },
    plugin(at: number, index: number): void {
      const failed = index % 97 === 3;
      const [status, exit] = failed ? ['plugin_execution_error', 255] : ['no_error', 0];
      run(pluginRun, next(), at, status ?? '', exit ?? 0, failed ? 'execPlugin.failed' : null, 640);
      if (!failed) {
        const age = index % 50 === 7 ? 0.4 * hour : 0.995 * hour;
        run(
          generation,
          next(),
          at,
          2,
          index,
          'ahead',
          'certificate',
          at,
          at + hour,
          Math.floor(age),
          hour,
          Math.floor(age),
        );
        run(renewal, next(), at, 2, 'ahead', 'renewed', null, 640);
      }
    },
  };
}
