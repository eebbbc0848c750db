import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { createHistory, type History } from '../index.ts';

/** A folder for one test's history.db; what is opened in it is closed, and it is removed, at the end. */
export class HistoryBench implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'ly-history-'));
  readonly file = join(this.folder, 'history.db');
  /** Log lines: the event and its fields. */
  readonly logged: [string, unknown][] = [];
  readonly #open = new Set<History>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(): History {
    const write = (event: string, fields?: unknown) => void this.logged.push([event, fields]);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    const history = createHistory({ file: this.file, clock: this.#clock, log });
    history.keep(90 * 86_400_000);
    this.#open.add(history);
    return history;
  }

  [Symbol.dispose](): void {
    for (const history of this.#open) {
      void history.dispose();
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
