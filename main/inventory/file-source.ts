import { setImmediate as turn } from 'node:timers/promises';
import type { Disposable } from '../base/disposables.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { stampsOf, watchFiles } from '../config/watch.ts';
import type { NamedInventory } from '../domain/inventory/profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { emptiedMilliseconds, emptiedTrouble } from './emptied.ts';
import { hubLimits } from './hub-limits.ts';
import type { ProfileSource } from './profile-source.ts';
import type { ProfileStore } from './profile-store.ts';
import { type FilesRead, readProfileFiles } from './read-profile-files.ts';
import type { ScopeSink } from './scope-sink.ts';
import type { SourceTrouble } from './source-fault.ts';
import { answeredInTime, type SyncOutcome } from './sync-limit.ts';

export interface FileSourceDeps {
  store: Pick<ProfileStore, 'begin'>;
  clock: Pick<Clock, 'after' | 'boottime'>;
  log: Log;
}

/** How long files must be quiet before they are read again, in milliseconds. */
const debounceMilliseconds = 100;
/** How often their stamps are compared, in milliseconds: of many files less often, for each costs a call. */
const pollMilliseconds = (files: number) => Math.max(2_000, files * 20);

/** Reads an inventory's files and folders, whose paths are absolute, and watches them. */
export function startFileSource({ name, config }: NamedInventory, deps: FileSourceDeps): ProfileSource {
  const [sink] = deps.store.begin([null]);
  const source = new FileSource(name, config.files ?? [], sink as ScopeSink, deps);
  source.start();
  return source;
}

class FileSource implements ProfileSource {
  readonly #inventory: string;
  readonly #paths: readonly string[];
  readonly #sink: ScopeSink;
  readonly #deps: FileSourceDeps;
  readonly #queue = new SerialQueue();
  #files: readonly string[];
  #stamps = '';
  /** The last reading took all that is there: until the stamps change, it is in step. */
  #isInStep = false;
  /** When to read once more, whatever the stamps are; boottime. */
  #dueAt: number | null = null;
  #watch: Disposable | undefined;
  #debounce: Disposable | undefined;
  #poll: Disposable | undefined;
  #isOver = false;

  constructor(inventory: string, paths: readonly string[], sink: ScopeSink, deps: FileSourceDeps) {
    this.#inventory = inventory;
    this.#paths = paths;
    this.#files = paths;
    this.#sink = sink;
    this.#deps = deps;
  }

  start(): void {
    this.#run(() => this.#read('all'));
    this.#schedulePoll();
  }

  sync(): Promise<SyncOutcome> {
    const outcome = this.#queue.run(() => this.#read('all'));
    return answeredInTime(this.#deps.clock, outcome, () => 'its files');
  }

  wake(): void {
    this.#onEvent();
  }

  async dispose(): Promise<void> {
    this.#isOver = true;
    this.#debounce?.dispose();
    this.#poll?.dispose();
    await this.#queue.drain();
    await this.#watch?.dispose();
  }

  /**
   * `present`: what is missing stays for now, since an editor may be between its delete and its create. The next poll
   * reads `all`.
   */
  async #read(what: 'present' | 'all'): Promise<SyncOutcome> {
    if (this.#isOver) {
      return { ok: false, code: 'file', text: 'the inventory is no longer followed' };
    }
    // Before the reading, so that a change in between is noticed.
    const stamps = await stampsOf(this.#files);
    const found = await readProfileFiles(this.#paths, this.#inventory);
    await this.#watchAgain(found, stamps);
    const listing = this.#sink.beginListing();
    for (const [at, read] of found.read.entries()) {
      listing.put(read);
      if (at % hubLimits.pageItems === 0) {
        // Other callers wait meanwhile, as between the pages of a hub.
        await turn();
      }
    }
    this.#isInStep = false;
    const [trouble] = found.troubles;
    if (trouble !== undefined) {
      listing.abandon();
      this.#dueAt = null;
      const told = troubleOf(trouble, found.troubles.length - 1);
      this.#sink.failed(told, null);
      return { ok: false, ...told };
    }
    const now = this.#deps.clock.boottime();
    if (what === 'present') {
      listing.abandon();
      this.#dueAt = now;
    } else if (listing.complete() === 'emptied') {
      this.#dueAt = now + emptiedMilliseconds;
      return { ok: false, ...emptiedTrouble };
    } else {
      this.#dueAt = null;
      this.#isInStep = true;
      this.#sink.heard();
    }
    return { ok: true };
  }

  async #watchAgain({ files, folders }: FilesRead, stamps: string): Promise<void> {
    const watched = [...folders, ...files];
    const isSame = watched.join('\n') === this.#files.join('\n');
    this.#files = watched;
    this.#stamps = isSame ? stamps : await stampsOf(watched);
    if (!isSame || !this.#watch) {
      await this.#watch?.dispose();
      this.#watch = await watchFiles(files, () => this.#onEvent(), folders);
    }
  }

  #onEvent(): void {
    this.#debounce?.dispose();
    if (!this.#isOver) {
      this.#debounce = this.#deps.clock.after(debounceMilliseconds, () => {
        this.#run(async () => {
          if ((await stampsOf(this.#files)) !== this.#stamps) {
            await this.#read('present');
          }
        });
      });
    }
  }

  #schedulePoll(): void {
    if (this.#isOver) {
      return;
    }
    this.#poll = this.#deps.clock.after(pollMilliseconds(this.#files.length), () => {
      this.#run(async () => {
        const isDue = this.#dueAt !== null && this.#deps.clock.boottime() >= this.#dueAt;
        if (isDue || (await stampsOf(this.#files)) !== this.#stamps) {
          await this.#read('all');
        } else if (this.#isInStep) {
          this.#sink.heard();
        }
      });
      this.#schedulePoll();
    });
  }

  #run(work: () => Promise<unknown>): void {
    this.#queue.run(work).catch((error: unknown) => {
      this.#deps.log.error('inventory.files', { inventory: this.#inventory, error: String(error) });
    });
  }
}

function troubleOf(first: string, further: number): SourceTrouble {
  return { code: 'file', text: further === 0 ? first : `${first}, and ${further} more` };
}
