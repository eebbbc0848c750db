import type { Disposable } from '../../base/disposables.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { stampsOf, watchFiles } from '../../config/watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

export interface FileWatchOptions {
  clock: Pick<Clock, 'after'>;
  log: Log;
  /** How long a file must be quiet before it is read. */
  debounceMilliseconds: number;
  /** How often the stamps are also checked: events can be missed, and folders may appear later. */
  pollMilliseconds: number;
  /**
   * Reads one file. Called when its stamp has changed, one file at a time; again where the stamp changed during the
   * reading. What it throws is logged.
   */
  read(file: string): Promise<void>;
}

/** Files of other programs, which may be missing, come later, be written half, or be links that are led elsewhere. */
export class FileWatch implements Disposable {
  readonly #options: FileWatchOptions;
  readonly #queue = new SerialQueue();
  /** By file, the stamp of its last complete reading; null: it was not read yet. */
  readonly #stamps = new Map<string, string | null>();
  #watch: Disposable | undefined;
  #debounce: Disposable | undefined;
  #poll: Disposable | undefined;
  #ended = false;

  constructor(options: FileWatchOptions) {
    this.#options = options;
    this.#schedulePoll();
  }

  files(): readonly string[] {
    return [...this.#stamps.keys()];
  }

  /** Watches these too; they are read soon. */
  add(files: readonly string[]): void {
    for (const file of files) {
      if (!this.#stamps.has(file)) {
        this.#stamps.set(file, null);
        this.#onEvent();
      }
    }
  }

  /** Checks all stamps now, and reads what has changed. */
  look(): Promise<void> {
    return this.#queue.run(async () => {
      let hasChanged = false;
      for (const [file, known] of this.#stamps) {
        const stamp = await stampsOf([file]);
        if (stamp !== known && !this.#ended) {
          hasChanged = true;
          await this.#read(file, stamp);
        }
      }
      if (hasChanged && !this.#ended) {
        // Again: a link may lead to another folder now, or a folder has appeared.
        await this.#watch?.dispose();
        this.#watch = await watchFiles(this.files(), () => this.#onEvent());
      }
    });
  }

  async dispose(): Promise<void> {
    this.#ended = true;
    this.#debounce?.dispose();
    this.#poll?.dispose();
    await this.#queue.drain();
    await this.#watch?.dispose();
  }

  async #read(file: string, stamp: string): Promise<void> {
    try {
      await this.#options.read(file);
    } catch (error) {
      this.#options.log.error('kubeconfigs.read', { file, error: String(error) });
    }
    if ((await stampsOf([file])) === stamp) {
      this.#stamps.set(file, stamp);
    } else {
      this.#onEvent(); // it is being written: what was read may be half
    }
  }

  #onEvent(): void {
    this.#debounce?.dispose();
    if (!this.#ended) {
      this.#debounce = this.#options.clock.after(this.#options.debounceMilliseconds, () => void this.look());
    }
  }

  #schedulePoll(): void {
    if (!this.#ended) {
      this.#poll = this.#options.clock.after(this.#options.pollMilliseconds, () => {
        void this.look().finally(() => this.#schedulePoll());
      });
    }
  }
}
