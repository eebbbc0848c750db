/**
 * Opens a history, which brings it up to this version, and sums up what it had: `history-upgrade-process.ts FILE [AT]`.
 * Killed just before its AT'th statement of SQL, else prints how many there were.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { createHistory } from '../../main/history/index.ts';
import { silentLog } from '../../main/ports/log.ts';

const [file = '', at = '0'] = process.argv.slice(2);
let count = 0;
const next = () => {
  count++;
  if (count === Number(at)) {
    process.kill(process.pid, 'SIGKILL');
  }
};
for (const name of ['run', 'get', 'all'] as const) {
  const original = StatementSync.prototype[name] as (...values: unknown[]) => unknown;
  Object.assign(StatementSync.prototype, {
    [name](this: StatementSync, ...values: unknown[]) {
      next();
      return original.apply(this, values);
    },
  });
}
/** One statement after the other, as SQLite itself does it. */
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  for (let rest = sql.trim(); rest !== ''; ) {
    const statement = this.prepare(rest);
    statement.all();
    rest = rest.slice(statement.sourceSQL.length).trim();
  }
};

const history = createHistory({
  file,
  clock: { now: Date.now, boottime: () => performance.now(), after: () => ({ dispose: () => undefined }) },
  log: silentLog,
});
await history.reader.askers({ cluster: 'none', since: 0, until: 86_400_000 });
process.stdout.write(`${count}\n`);
process.exit(0);
