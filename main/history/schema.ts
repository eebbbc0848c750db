import type { DatabaseSync } from 'node:sqlite';

/** `user_version` of a file that this Lanyard writes: the number of steps below. */
export function schemaVersion(): number {
  return migrations.length;
}

/**
 * From each version to the next. A step that has been in a release is never changed. All times are milliseconds
 * since 1970, as the wall clock was; ids count over all tables, so that they order events however the clock was set.
 */
const migrations: readonly string[] = [
  `
  -- Programs by what they have in common over many calls; a call adds its pid and start time.
  CREATE TABLE callers (
    id INTEGER PRIMARY KEY,
    uid INTEGER NOT NULL,
    executable TEXT,
    executable_id TEXT,
    session_leader_pid INTEGER,
    session_start_time TEXT,
    pid_namespace TEXT,
    origin TEXT NOT NULL,
    has_terminal INTEGER NOT NULL,
    sure INTEGER NOT NULL,
    last_seen INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX callers_by_identity ON callers (session_leader_pid, executable, executable_id);
  CREATE INDEX callers_by_last_seen ON callers (last_seen);

  CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    door TEXT NOT NULL,
    caller_id INTEGER NOT NULL,
    pid INTEGER NOT NULL,
    start_time TEXT NOT NULL,
    account TEXT NOT NULL,
    cluster TEXT,
    audience TEXT,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    generation INTEGER,
    microseconds INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX calls_by_at ON calls (at);
  CREATE INDEX calls_by_cluster ON calls (cluster, at);

  CREATE TABLE logins (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    account TEXT NOT NULL,
    flow TEXT,
    outcome TEXT NOT NULL,
    code TEXT,
    issuer TEXT,
    subject TEXT,
    display_name TEXT
  ) STRICT;
  CREATE INDEX logins_by_at ON logins (at);

  CREATE TABLE logouts (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    account TEXT NOT NULL,
    had_session INTEGER NOT NULL,
    revocation TEXT NOT NULL
  ) STRICT;
  CREATE INDEX logouts_by_at ON logouts (at);

  CREATE TABLE grants (
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL,
    audience TEXT,
    last_seen INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX grants_by_account ON grants (account, audience);
  CREATE INDEX grants_by_last_seen ON grants (last_seen);

  CREATE TABLE generations (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    grant_id INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    why TEXT NOT NULL,
    credential TEXT NOT NULL,
    issued_at INTEGER,
    expires_at INTEGER,
    previous_age INTEGER
  ) STRICT;
  CREATE INDEX generations_by_at ON generations (at);

  CREATE TABLE renewals (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    grant_id INTEGER NOT NULL,
    why TEXT NOT NULL,
    outcome TEXT NOT NULL,
    code TEXT,
    milliseconds INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX renewals_by_at ON renewals (at);

  CREATE TABLE rejections (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    grant_id INTEGER NOT NULL,
    cluster TEXT NOT NULL,
    generation INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    action TEXT NOT NULL
  ) STRICT;
  CREATE INDEX rejections_by_at ON rejections (at);

  CREATE TABLE approvals (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    caller_id INTEGER NOT NULL,
    pid INTEGER NOT NULL,
    start_time TEXT NOT NULL,
    account TEXT NOT NULL,
    cluster TEXT NOT NULL,
    policy TEXT NOT NULL,
    outcome TEXT NOT NULL
  ) STRICT;
  CREATE INDEX approvals_by_at ON approvals (at);

  CREATE TABLE locks (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    what TEXT NOT NULL,
    why TEXT NOT NULL
  ) STRICT;
  CREATE INDEX locks_by_at ON locks (at);

  CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    what TEXT NOT NULL,
    name TEXT
  ) STRICT;
  CREATE INDEX changes_by_at ON changes (at);
  `,
  // 2: wrapped exec plugins, and what their objectives are counted from.
  `
  ALTER TABLE generations ADD COLUMN previous_life INTEGER;
  ALTER TABLE generations ADD COLUMN cluster TEXT;
  ALTER TABLE generations ADD COLUMN replaced_certificate_age INTEGER;
  -- Rotations of certificates alone, which are few among all the tokens.
  CREATE INDEX generations_rotations ON generations (at) WHERE replaced_certificate_age IS NOT NULL;

  CREATE TABLE plugin_runs (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    account TEXT NOT NULL,
    cluster TEXT,
    place TEXT NOT NULL,
    call_status TEXT NOT NULL,
    exit_code INTEGER NOT NULL,
    code TEXT,
    milliseconds INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX plugin_runs_by_at ON plugin_runs (at);
  CREATE INDEX plugin_runs_by_account ON plugin_runs (account, at);
  `,
  // 3: what is asked of a year is summed up by the hour and day, as each call comes; and the rows of a cluster's lane lie together.
  `
  CREATE TABLE call_hours (
    -- '' for none.
    cluster TEXT NOT NULL,
    -- Hours since 1970.
    hour INTEGER NOT NULL,
    account TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    -- Of the duration: domain/figures/duration-buckets.ts.
    bucket INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (cluster, hour, account, outcome, reason, bucket)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE asker_days (
    cluster TEXT NOT NULL,
    -- Days since 1970, in UTC.
    day INTEGER NOT NULL,
    -- '' where the system couldn't tell.
    executable TEXT NOT NULL,
    calls INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (cluster, day, executable)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE run_hours (
    account TEXT NOT NULL,
    hour INTEGER NOT NULL,
    cluster TEXT NOT NULL,
    call_status TEXT NOT NULL,
    exit_code INTEGER NOT NULL,
    -- 1 for those that gave a credential.
    answered INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (account, hour, cluster, call_status, exit_code, answered)
  ) STRICT, WITHOUT ROWID;

  -- Rows that were there before: those after next_id, up to last_id, are still to be summed up, a few at a time.
  CREATE TABLE sums_to_make (
    source TEXT PRIMARY KEY,
    next_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO sums_to_make SELECT 'calls', 0, max(id) FROM calls HAVING max(id) IS NOT NULL;
  INSERT INTO sums_to_make SELECT 'plugin_runs', 0, max(id) FROM plugin_runs HAVING max(id) IS NOT NULL;

  CREATE INDEX generations_by_grant ON generations (grant_id, cluster, at);
  CREATE INDEX rejections_by_cluster ON rejections (cluster, at);
  CREATE INDEX renewals_failed ON renewals (grant_id, at) WHERE outcome = 'failed';
  CREATE INDEX logins_by_account ON logins (account, at);
  CREATE INDEX logouts_by_account ON logouts (account, at);
  `,
  `
  -- Where a person said so: on the terminal, in a page, in a window of the broker's own.
  ALTER TABLE approvals ADD COLUMN place TEXT;
  `,
  // 5: a call is one insert; its row is summed up with others, later.
  `
  CREATE TABLE waiting_for_sums (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    -- Rows after this one, up to last_id, are still to be summed up.
    after_id INTEGER NOT NULL,
    -- NULL for those that come from now on: this row stays.
    last_id INTEGER
  ) STRICT;
  INSERT INTO waiting_for_sums (source, after_id, last_id) SELECT source, next_id, last_id FROM sums_to_make;
  INSERT INTO waiting_for_sums (source, after_id) SELECT 'calls', coalesce(max(id), 0) FROM calls;
  INSERT INTO waiting_for_sums (source, after_id) SELECT 'plugin_runs', coalesce(max(id), 0) FROM plugin_runs;
  DROP TABLE sums_to_make;
  `,
  // 6: a credential is asked for a target; a cluster is one kind. The text is targetKey's: domain/target/target.ts.
  `
  ALTER TABLE calls RENAME COLUMN cluster TO target;
  ALTER TABLE generations RENAME COLUMN cluster TO target;
  ALTER TABLE rejections RENAME COLUMN cluster TO target;
  ALTER TABLE approvals RENAME COLUMN cluster TO target;
  ALTER TABLE plugin_runs RENAME COLUMN cluster TO target;
  ALTER TABLE call_hours RENAME COLUMN cluster TO target;
  ALTER TABLE asker_days RENAME COLUMN cluster TO target;
  ALTER TABLE run_hours RENAME COLUMN cluster TO target;
  -- A client may have named a cluster with a space in its name: its kind is said from now on.
  UPDATE calls SET target = 'cluster ' || target WHERE target LIKE '% %';
  UPDATE generations SET target = 'cluster ' || target WHERE target LIKE '% %';
  UPDATE rejections SET target = 'cluster ' || target WHERE target LIKE '% %';
  UPDATE approvals SET target = 'cluster ' || target WHERE target LIKE '% %';
  UPDATE plugin_runs SET target = 'cluster ' || target WHERE target LIKE '% %';
  -- In two steps where names are unique: no row may pass through another one's name. No name has a control character.
  UPDATE call_hours SET target = char(1) || target WHERE target LIKE '% %';
  UPDATE call_hours SET target = 'cluster ' || substr(target, 2) WHERE substr(target, 1, 1) = char(1);
  UPDATE asker_days SET target = char(1) || target WHERE target LIKE '% %';
  UPDATE asker_days SET target = 'cluster ' || substr(target, 2) WHERE substr(target, 1, 1) = char(1);
  UPDATE run_hours SET target = char(1) || target WHERE target LIKE '% %';
  UPDATE run_hours SET target = 'cluster ' || substr(target, 2) WHERE substr(target, 1, 1) = char(1);
  `,
  // 7: provider plugins. Sums are of exec plugins alone, as KEP-541's objectives are.
  `
  ALTER TABLE plugin_runs ADD COLUMN plugin TEXT NOT NULL DEFAULT 'execPlugin';
  `,
  // 8: inventories: their sources, and their profiles in use.
  `
  CREATE TABLE inventory_events (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    inventory TEXT NOT NULL,
    what TEXT NOT NULL,
    code TEXT,
    profiles INTEGER NOT NULL,
    context TEXT
  ) STRICT;
  CREATE INDEX inventory_events_by_at ON inventory_events (at);
  `,
  // 9: requests through the request proxy; those beyond the limit as their number.
  `
  CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    target TEXT NOT NULL,
    pid INTEGER NOT NULL,
    program TEXT,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    answered_by TEXT,
    milliseconds INTEGER NOT NULL,
    bytes_up INTEGER NOT NULL,
    bytes_down INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX requests_by_at ON requests (at);

  CREATE TABLE more_requests (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    target TEXT NOT NULL,
    requests INTEGER NOT NULL,
    bytes_up INTEGER NOT NULL,
    bytes_down INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX more_requests_by_at ON more_requests (at);
  `,
];

/** The version of an open file; 0 for a new one. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** Migrates a file of an older version, or a new one, to this one: each step completely or not at all. */
export function migrate(database: DatabaseSync, from: number): void {
  for (const [index, step] of migrations.entries()) {
    if (index >= from) {
      database.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${index + 1}; COMMIT;`);
    }
  }
}

/** What tells one row of these tables from another; events point to them. */
export const sharedColumns = {
  callers: [
    'uid',
    'executable',
    'executable_id',
    'session_leader_pid',
    'session_start_time',
    'pid_namespace',
    'origin',
    'has_terminal',
    'sure',
  ],
  grants: ['account', 'audience'],
} as const;
