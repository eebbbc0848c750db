import { basename } from 'node:path';
import { BrokerError } from '../contract/broker-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { identityOf, preparePlace, setAside } from './history-files.ts';
import { NewerHistory, OpenHistory } from './open-history.ts';
import { historyProblem, isDamage } from './sqlite-problem.ts';

/** How often it is checked, at most, whether the file is still at its path. */
const checkMilliseconds = 1_000;

export interface HistoryStoreDeps {
  file: string;
  clock: Pick<Clock, 'now' | 'boottime'>;
  log: Log;
}

/**
 * The history's file, opened when first needed and again after each failure. One that is damaged, or of a newer
 * Lanyard, is set aside whenever that shows, and a new one begun (rule: everything-recorded).
 */
export class HistoryStore {
  readonly file: string;
  readonly #deps: HistoryStoreDeps;
  readonly #setAside: string[] = [];
  #open: OpenHistory | null = null;
  #failing: BrokerError | null = null;
  #lookedAt = 0;
  #ended = false;

  constructor(deps: HistoryStoreDeps) {
    this.file = deps.file;
    this.#deps = deps;
  }

  /** What the user should know: sentences; empty: all is well. */
  problems(): string[] {
    return [...this.#setAside, ...(this.#failing ? [this.#failing.message] : [])];
  }

  /**
   * Runs `work`, which writes, on the open file; a damaged one is set aside first, and then it runs on the new one.
   * Throws BrokerError.
   */
  write<T>(work: (open: OpenHistory) => T): T {
    const result = this.use(work);
    this.#failing = null;
    return result;
  }

  /** The same for what only reads: that this works tells nothing of writing. */
  use<T>(work: (open: OpenHistory) => T): T {
    try {
      return this.#attempt(work);
    } catch (error) {
      // What failed may have left the connection in the middle of something.
      this.#close();
      const problem = historyProblem(error, this.file);
      if (this.#failing?.code !== problem.code) {
        this.#deps.log.error('history.failed', { error: problem });
      }
      this.#failing = problem;
      throw problem;
    }
  }

  close(): void {
    this.#ended = true;
    this.#close();
  }

  #attempt<T>(work: (open: OpenHistory) => T): T {
    try {
      return work(this.#opened());
    } catch (error) {
      if (error instanceof NewerHistory) {
        this.#replace(
          'newer',
          'it is of a newer Lanyard; with that one in place again, move it back under its own name',
        );
      } else if (isDamage(error)) {
        this.#replace('damaged', 'it was damaged');
      } else {
        throw error;
      }
      return work(this.#opened());
    }
  }

  #opened(): OpenHistory {
    if (this.#ended) {
      throw new BrokerError('history.closed', 'the history is closed: the agent stops');
    }
    const now = this.#deps.clock.boottime();
    if (this.#open && now - this.#lookedAt >= checkMilliseconds) {
      this.#lookedAt = now;
      if (identityOf(this.file) !== this.#open.identity) {
        // What is written into a file without a name is lost with the broker's end.
        this.#deps.log.warn('history.moved', { file: this.file });
        this.#note(`${basename(this.file)} was moved or removed while it was in use, and a new one begun`);
        this.#close();
      }
    }
    if (!this.#open) {
      preparePlace(this.file);
      this.#open = new OpenHistory(this.file, () => this.#deps.clock.now());
      this.#lookedAt = now;
    }
    return this.#open;
  }

  #replace(kind: 'damaged' | 'newer', why: string): void {
    this.#close();
    const aside = basename(setAside(this.file, kind, this.#deps.clock.now()));
    this.#deps.log.error('history.setAside', { file: this.file, aside, why });
    this.#note(`${basename(this.file)} was set aside as ${aside} (${why}), and a new one begun`);
  }

  /** The last few: a failing disk must not fill memory. */
  #note(text: string): void {
    this.#setAside.push(text);
    this.#setAside.splice(0, Math.max(0, this.#setAside.length - 3));
  }

  #close(): void {
    this.#open?.close();
    this.#open = null;
  }
}
