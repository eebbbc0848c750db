import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Caller } from '../ports/caller.ts';
import { eventTables, type Links } from './event-tables.ts';
import { identityOf } from './history-files.ts';
import { migrate, schemaVersion, sharedColumns, versionOf } from './schema.ts';

/** How long another program that has the file open is waited for. */
const busyMilliseconds = 100;
/** In KiB: the hot ends of the tables and indexes fit. */
const cacheKibibytes = 2_048;
/** A guard alone: the maintenance writes the log back earlier, while nothing is asked. */
const walPages = 8_192;
const walLimitBytes = 4 * 1024 * 1024;
const rememberedLinks = 256;
const executableCharacters = 4_096;
const dayMilliseconds = 86_400_000;

/** A file of a newer Lanyard: what it means isn't known here. */
export class NewerHistory extends Error {
  readonly version: number;

  constructor(version: number) {
    super(`history.db is of version ${version}`);
    this.name = 'NewerHistory';
    this.version = version;
  }
}

interface Link {
  id: number;
  lastSeen: number;
}

/** An open history.db of this version, with its prepared statements. One process has it for itself. */
export class OpenHistory implements Links {
  readonly database: DatabaseSync;
  readonly identity: string | null;
  readonly #now: () => number;
  readonly #statements = new Map<string, StatementSync>();
  readonly #callers = new Map<string, Link>();
  readonly #grants = new Map<string, Link>();
  #lastId = 0;
  /** Nothing waits to be summed up (schema.ts, 5). */
  isSummedUp = false;

  /** Throws NewerHistory, or what SQLite throws. The file must be there already, with its mode. */
  constructor(file: string, now: () => number) {
    this.#now = now;
    this.database = new DatabaseSync(file, { timeout: busyMilliseconds, enableForeignKeyConstraints: false });
    try {
      // Exclusive: without the shared memory file, which another process could truncate, and with half the system calls
      // per write. Before the first read, as that makes it effective.
      this.database.exec('PRAGMA locking_mode = EXCLUSIVE');
      const version = versionOf(this.database);
      if (version === 0) {
        // Of a new file alone: SQLite writes it each time, and a history on a full disk must still be readable.
        this.database.exec('PRAGMA auto_vacuum = INCREMENTAL');
      }
      this.database.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA trusted_schema = OFF;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -${cacheKibibytes};
        PRAGMA journal_size_limit = ${walLimitBytes};
        PRAGMA wal_autocheckpoint = ${walPages};
      `);
      if (version > schemaVersion()) {
        throw new NewerHistory(version);
      }
      migrate(this.database, version);
      this.#lastId = this.#highestId();
      this.identity = identityOf(file);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The id of the last event of all kinds. */
  get lastId(): number {
    return this.#lastId;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Prepared once. `sql` is one of the few texts of this folder, never made of what came from outside. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) {
      return known;
    }
    const made = this.database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  /** All that `work` writes, or nothing: where it throws, who uses this closes the file. */
  transaction(work: () => void): void {
    this.statement('BEGIN IMMEDIATE').run();
    work();
    this.statement('COMMIT').run();
  }

  caller(caller: Caller): number {
    const { uid, executable, executableId, session, pidNamespace, origin, hasTerminal, sure } = caller;
    const values = [
      uid,
      executable?.slice(0, executableCharacters) ?? null,
      executableId,
      session?.leaderPid ?? null,
      session?.startTime ?? null,
      pidNamespace,
      origin,
      hasTerminal ? 1 : 0,
      sure ? 1 : 0,
    ];
    return this.#link('callers', values, this.#callers);
  }

  grant(account: string, audience: string | null): number {
    return this.#link('grants', [account.slice(0, 160), audience?.slice(0, 1024) ?? null], this.#grants);
  }

  /** Rows of callers or grants were removed: their ids count no more. */
  forgetLinks(): void {
    this.#callers.clear();
    this.#grants.clear();
  }

  close(): void {
    this.#statements.clear();
    try {
      this.database.close();
    } catch {
      // Closing writes the log back, which a damaged file or a full disk doesn't allow: it stays beside the file.
    }
  }

  /** Of all that is on record, and of all that was summed up: rows that are removed by now among them. */
  #highestId(): number {
    const highest = ['SELECT max(after_id, coalesce(last_id, 0)) AS id FROM waiting_for_sums'];
    highest.push(...Object.values(eventTables).map(({ table }) => `SELECT max(id) AS id FROM ${table}`));
    const rows = highest.flatMap((sql) => this.statement(sql).all());
    return Math.max(0, ...rows.map(({ id }) => Number(id ?? 0)));
  }

  /** The row with these values, made where there is none; that it is in use is noted once a day. */
  #link(
    table: 'callers' | 'grants',
    values: (string | number | null)[],
    remembered: Map<string, Link>,
  ): number {
    const columns = sharedColumns[table];
    const key = JSON.stringify(values);
    const now = this.#now();
    let link = remembered.get(key);
    if (!link) {
      const found = this.statement(
        `SELECT id, last_seen FROM ${table} WHERE ${columns.map((column) => `${column} IS ?`).join(' AND ')}`,
      ).get(...values);
      if (found) {
        link = { id: Number(found['id']), lastSeen: Number(found['last_seen']) };
      } else {
        const { lastInsertRowid } = this.statement(
          `INSERT INTO ${table} (${columns.join(', ')}, last_seen) VALUES (${'?, '.repeat(columns.length)}?)`,
        ).run(...values, now);
        link = { id: Number(lastInsertRowid), lastSeen: now };
      }
      if (remembered.size >= rememberedLinks) {
        remembered.clear();
      }
      remembered.set(key, link);
    }
    if (Math.abs(now - link.lastSeen) >= dayMilliseconds) {
      this.statement(`UPDATE ${table} SET last_seen = ? WHERE id = ?`).run(now, link.id);
      link.lastSeen = now;
    }
    return link.id;
  }
}
