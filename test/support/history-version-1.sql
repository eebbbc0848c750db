-- history.db of version 1 with one event of each kind, as Lanyard wrote it before wrapped plugins.
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
INSERT INTO callers VALUES (1, 1000, '/usr/bin/kubectl', '8:42', 400, '99', '4026531836', 'local', 1, 1, 1767225600000);
INSERT INTO callers VALUES (2, 1000, NULL, NULL, NULL, NULL, NULL, 'container', 0, 0, 1767225600000);
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
INSERT INTO calls VALUES (1, 1767225600000, 'kube', 1, 4711, '123456', 'corp', 'prod', NULL, 'handedOut', 'held', 1, 321);
INSERT INTO calls VALUES (2, 1767225600000, 'kube', 2, 0, '', 'corp', NULL, 'aud', 'refused', 'cluster.unknown', NULL, 321);
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
INSERT INTO logins VALUES (3, 1767225600000, 'corp', 'device', 'done', NULL, 'https://id.example.com', 'abc', 'Alice');
INSERT INTO logins VALUES (4, 1767225600000, 'corp', NULL, 'cancelled', 'oidc.denied', NULL, NULL, NULL);
CREATE INDEX logins_by_at ON logins (at);
CREATE TABLE logouts (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  had_session INTEGER NOT NULL,
  revocation TEXT NOT NULL
) STRICT;
INSERT INTO logouts VALUES (5, 1767225600000, 'corp', 1, 'revoked');
CREATE INDEX logouts_by_at ON logouts (at);
CREATE TABLE grants (
  id INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  audience TEXT,
  last_seen INTEGER NOT NULL
) STRICT;
INSERT INTO grants VALUES (1, 'corp', 'prod', 1767225600000);
INSERT INTO grants VALUES (2, 'ops', NULL, 1767225600000);
INSERT INTO grants VALUES (3, 'corp', NULL, 1767225600000);
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
INSERT INTO generations VALUES (6, 1767225600000, 1, 2, 'ahead', 'token', 1767225600000, 1767226200000, 540000);
INSERT INTO generations VALUES (7, 1767225600000, 2, 1, 'found', 'certificate', NULL, NULL, NULL);
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
INSERT INTO renewals VALUES (8, 1767225600000, 3, 'due', 'failed', 'provider.timeout', 45000);
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
INSERT INTO rejections VALUES (9, 1767225600000, 3, 'prod', 2, 'rejected', 'renewed');
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
INSERT INTO approvals VALUES (10, 1767225600000, 1, 4711, '123456', 'corp', 'prod', 'perTerminal', 'denied');
CREATE INDEX approvals_by_at ON approvals (at);
CREATE TABLE locks (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  why TEXT NOT NULL
) STRICT;
INSERT INTO locks VALUES (11, 1767225600000, 'locked', 'idle');
CREATE INDEX locks_by_at ON locks (at);
CREATE TABLE changes (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  name TEXT
) STRICT;
INSERT INTO changes VALUES (12, 1767225600000, 'account.add', 'corp');
INSERT INTO changes VALUES (13, 1767225600000, 'passphrase.set', NULL);
CREATE INDEX changes_by_at ON changes (at);
PRAGMA user_version = 1;
