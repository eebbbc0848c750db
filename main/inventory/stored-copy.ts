import type { Disposable } from '../base/disposables.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type StoredPlace, type StoredProfiles, writeStored } from './stored-profiles.ts';

/** How long after a change it is written, in milliseconds. */
const firstWait = 2_000;
/** How long between two writes: each one writes all profiles, 25 MB of a large inventory. */
const furtherWait = 30_000;
/** How old the time of the last sync on disk may be where nothing else changes. */
const agedMilliseconds = 3_600_000;

/** Keeps the copy on disk near what is known. What a killed broker didn't write yet, the source tells again. */
export class StoredCopy implements Disposable {
  readonly #options: StoredPlace & { clock: Clock; log: Log };
  readonly #current: () => StoredProfiles;
  readonly #queue = new SerialQueue();
  #timer: Disposable | undefined;
  #isDue = false;
  #isAhead = false;
  /** Boottime. */
  #writtenAt: number | null = null;
  readonly #openedAt: number;

  constructor(options: StoredPlace & { clock: Clock; log: Log }, current: () => StoredProfiles) {
    this.#options = options;
    this.#current = current;
    this.#openedAt = options.clock.boottime();
  }

  /** The profiles differ from those on disk. */
  changed(): void {
    this.#isAhead = true;
    if (!this.#isDue) {
      this.#isDue = true;
      const { clock } = this.#options;
      const since = this.#writtenAt === null ? furtherWait : clock.boottime() - this.#writtenAt;
      this.#timer = clock.after(Math.max(firstWait, furtherWait - since), () => {
        this.save().catch(() => undefined);
      });
    }
  }

  /** What is known is in step: the time on disk is older. */
  heard(): void {
    this.#isAhead = true;
    if (this.#options.clock.boottime() - (this.#writtenAt ?? this.#openedAt) >= agedMilliseconds) {
      this.changed();
    }
  }

  /** Rejects with BrokerError `file.write`; the log says so, too. */
  save(): Promise<void> {
    this.#timer?.dispose();
    this.#isDue = false;
    return this.#queue.run(async () => {
      this.#isAhead = false;
      this.#writtenAt = this.#options.clock.boottime();
      try {
        await writeStored(this.#options, this.#current());
      } catch (error) {
        this.#isAhead = true;
        this.#options.log.warn('inventory.write', { error: String(error) });
        throw error;
      }
    });
  }

  async dispose(): Promise<void> {
    this.#timer?.dispose();
    await this.#queue.drain();
    if (this.#isAhead) {
      await this.save().catch(() => undefined);
    }
  }
}
