'use strict';
/* The part of node:sqlite (Node 22.5) that Lanyard uses, on libsql: SQLite's engine, with its own locks on the file. */
const Database = require('libsql');

class StatementSync {
  #statement;
  constructor(statement) {
    this.#statement = statement;
  }
  all(...values) {
    return this.#statement.all(...values);
  }
  get(...values) {
    return this.#statement.get(...values) ?? undefined;
  }
  run(...values) {
    return this.#statement.run(...values);
  }
}

class DatabaseSync {
  #database;
  constructor(file, { readOnly = false, timeout = 0 } = {}) {
    this.#database = new Database(file, { readonly: readOnly, timeout });
  }
  exec(sql) {
    this.#database.exec(sql);
  }
  prepare(sql) {
    return new StatementSync(this.#database.prepare(sql));
  }
  close() {
    this.#database.close();
  }
}
module.exports = { DatabaseSync, StatementSync };
