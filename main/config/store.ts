import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Disposable } from '../base/disposables.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { byGroup, type ConfigGroup, groupOf } from '../contract/config/config.ts';
import { defaultSettings } from '../contract/config/settings.ts';
import { createCertificateReader } from '../domain/credential/certificate-set.ts';
import { type LoadedConfig, type LoadedEntries, loadedEntries } from '../domain/loaded-config.ts';
import type { Clock } from '../ports/clock.ts';
import type {
  AccountDrafts,
  ConfigEdit,
  ConfigProblem,
  ConfigStore,
  WrittenEntry,
} from '../ports/config-store.ts';
import type { Log } from '../ports/log.ts';
import { checkDraft, loadStated } from './draft-account.ts';
import { editText, newConfigText, schemaFileName } from './edit.ts';
import { configJsonSchemaText } from './json-schema.ts';
import { keepSame } from './keep-same.ts';
import {
  describeProblem,
  type LoadOptions,
  type LoadResult,
  loadConfigText,
  loadConfigYaml,
  wholeFile,
} from './load.ts';
import { readBounded } from './read-bounded.ts';
import { stampsOf, watchFiles } from './watch.ts';
import { writeDurably } from './write-durably.ts';
import { parseYamlText } from './yaml-text.ts';

export interface ConfigStoreOptions {
  /** Absolute path of config.yaml. It may be missing: an empty config. */
  file: string;
  log: Log;
  clock?: Pick<Clock, 'after'>;
  /** How long the file must be quiet before it is read again (default 100). */
  debounceMilliseconds?: number;
  /** How often the files’ stamps are also compared (default 2000). */
  pollMilliseconds?: number;
  /** The folder for `~/` in paths. */
  homeDirectory?: string;
}

/** Opens config.yaml; keeps the last valid reading active. Never rejects because of the file’s content. */
export async function createConfigStore(
  options: ConfigStoreOptions,
): Promise<ConfigStore & AccountDrafts & Disposable> {
  const store = new FileConfigStore(options);
  await store.start();
  return store;
}

interface Snapshot {
  text: string | null;
  result: LoadResult;
}

/** Enough for several thousand clusters, each with its CA as data. */
const configLimitBytes = 8 * 1024 * 1024;
const limitText = '8 MiB';

/** One fixed name, since only one broker runs: the next write removes what a killed broker left. */
const temporaryName = '.config.yaml.lanyard.tmp';

const emptyConfig: LoadedConfig = { ...loadedEntries(() => new Map()), settings: defaultSettings };

class FileConfigStore implements ConfigStore, AccountDrafts, Disposable {
  readonly file: string;
  readonly #options: ConfigStoreOptions;
  readonly #queue = new SerialQueue();
  readonly #readCertificates = createCertificateReader();
  readonly #listeners = new Set<() => void>();
  readonly #after: Clock['after'];
  #config: LoadedConfig = emptyConfig;
  #problems: readonly ConfigProblem[] = [];
  /** Whether listeners were ever called. */
  #told = false;
  #certificateFiles: readonly string[] = [];
  #stamps = '';
  #existed = false;
  #watch: Disposable | undefined;
  #debounce: Disposable | undefined;
  #poll: Disposable | undefined;
  #ended = false;

  constructor(options: ConfigStoreOptions) {
    this.file = options.file;
    this.#options = options;
    this.#after = options.clock?.after.bind(options.clock) ?? unreferencedTimer;
  }

  current(): LoadedConfig {
    return this.#config;
  }

  problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  onChange(listener: () => void): Disposable {
    // Wrapped, so that one function added twice is called twice.
    const entry = () => listener();
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  }

  async start(): Promise<void> {
    await this.reload();
    this.#schedulePoll();
  }

  reload(): Promise<void> {
    return this.#queue.run(() => this.#load(true));
  }

  edit(edits: Parameters<ConfigStore['edit']>[0]): Promise<void> {
    return this.#queue.run(() => this.#edit(edits));
  }

  check(edits: readonly ConfigEdit[]): Promise<readonly ConfigProblem[]> {
    return this.#queue.run(async () => (await this.#edited(edits)).after.problems);
  }

  async entry(group: ConfigGroup, name: string): Promise<WrittenEntry | null> {
    return (await this.entries(group, [name])).get(name) ?? null;
  }

  entries(group: ConfigGroup, names: readonly string[]): Promise<ReadonlyMap<string, WrittenEntry>> {
    return this.#queue.run(async () => {
      const { text, result } = await this.#read();
      const whole = text === null || result.config === null ? null : result.yaml.value();
      const written = (whole as Record<string, Record<string, WrittenEntry | null> | null> | null)?.[group];
      return new Map(
        names.flatMap((name): [string, WrittenEntry][] => {
          const entry = written && Object.hasOwn(written, name) ? written[name] : null;
          return entry ? [[name, entry]] : [];
        }),
      );
    });
  }

  stated(edits: readonly ConfigEdit[]): Promise<LoadedEntries> {
    return loadStated(edits, this.#loading());
  }

  look(account: string, value: unknown): ReturnType<AccountDrafts['look']> {
    return checkDraft(account, value, this.#loading(), this.current());
  }

  async dispose(): Promise<void> {
    this.#ended = true;
    this.#debounce?.dispose();
    this.#poll?.dispose();
    this.#listeners.clear();
    await this.#queue.drain();
    await this.#watch?.dispose();
  }

  #watchedFiles(): string[] {
    return [this.file, ...this.#certificateFiles];
  }

  /** Reads the file. `missingCounts` is false where an editor may be between its delete and its create. */
  async #load(missingCounts: boolean): Promise<void> {
    // Stamped before the read, so that a change in between is noticed.
    const stamps = await stampsOf(this.#watchedFiles());
    const snapshot = await this.#read();
    if (snapshot.text === null && this.#existed && !missingCounts) {
      this.#options.log.debug('config.goneForNow', { file: this.file });
      return; // the next poll decides
    }
    await this.#take(snapshot, stamps);
  }

  async #read(): Promise<Snapshot> {
    const content = await readBounded(this.file, configLimitBytes);
    if (content?.ok === false) {
      const result = await loadConfigText(null, this.#loading());
      return {
        text: '',
        result: { ...result, config: null, problems: [wholeFile(this.file, content.fault)] },
      };
    }
    const text = content?.text ?? null;
    return { text, result: await loadConfigText(text, this.#loading()) };
  }

  #loading(): LoadOptions {
    return {
      file: this.file,
      homeDirectory: this.#options.homeDirectory ?? homedir(),
      readCertificates: this.#readCertificates,
    };
  }

  async #take({ text, result }: Snapshot, stamps: string): Promise<void> {
    this.#existed = text !== null;
    const watched = this.#watchedFiles().join('\n');
    // A broken file may name no CA files: those of the active config are still watched.
    this.#certificateFiles = result.config
      ? result.certificateFiles
      : [...new Set([...this.#certificateFiles, ...result.certificateFiles])];
    const sameFiles = watched === this.#watchedFiles().join('\n');
    this.#stamps = sameFiles ? stamps : await stampsOf(this.#watchedFiles());
    if (!this.#ended) {
      // Rebuilt each time: a symbolic link may point to another folder now.
      await this.#watch?.dispose();
      this.#watch = await watchFiles(this.#watchedFiles(), () => this.#onEvent());
      if ((await stampsOf(this.#watchedFiles())) !== this.#stamps) {
        this.#onEvent(); // a change came before the watch began
      }
    }
    const config = result.config ? keepSame(this.#config, result.config) : this.#config;
    // The same object stays where nothing differs: others compare by it.
    if (this.#told && config === this.#config && isDeepStrictEqual(this.#problems, result.problems)) {
      return;
    }
    this.#config = config;
    this.#problems = result.problems;
    this.#told = true;
    this.#report(result.config !== null);
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }

  #report(good: boolean): void {
    const { log } = this.#options;
    for (const problem of this.#problems) {
      log.warn('config.problem', { problem: describeProblem(problem) });
    }
    if (good) {
      log.info(
        'config.inForce',
        byGroup((kind) => this.#config[groupOf(kind)].size),
      );
    } else {
      log.warn('config.keptOld', { file: this.file });
    }
  }

  async #edit(edits: Parameters<ConfigStore['edit']>[0]): Promise<void> {
    // Another program may write between the read and the rename: then the file is read and edited again.
    for (let attempt = 0; attempt < 5; attempt++) {
      const stamp = await stampsOf([this.file]);
      const { text, after } = await this.#edited(edits);
      if (after.config === null) {
        throw refused(after, 'the change would leave config.yaml with errors; nothing was changed');
      }
      await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
      const stillWanted = async () => (await stampsOf([this.file])) === stamp;
      if (await writeDurably(this.file, text, { mode: 0o600, temporaryName, stillWanted })) {
        await this.#take({ text, result: after }, await stampsOf(this.#watchedFiles()));
        await this.#refreshSchema(text);
        return;
      }
    }
    throw new BrokerError('config.busy', `${this.file} is being changed by another program; try again`);
  }

  /** Reads the file and makes the edits in memory; nothing is written. */
  async #edited(edits: Parameters<ConfigStore['edit']>[0]): Promise<{ text: string; after: LoadResult }> {
    const before = await this.#read();
    if (before.result.config === null) {
      await this.#load(true);
      throw refused(before.result, `${this.file} has errors; correct it first`);
    }
    const source = before.text === null ? parseYamlText(newConfigText) : before.result.yaml;
    const edited = editText(source, typeof edits === 'function' ? edits(before.result.config) : edits);
    if (edited === null) {
      throw new BrokerError('config.entangled', `other entries of ${this.file} stand on what is changed`, {
        reason: 'usage',
        hint: 'it holds an anchor (&) that others use: edit the file by hand',
      });
    }
    const { text } = edited;
    if (Buffer.byteLength(text) > configLimitBytes) {
      throw new BrokerError('config.tooLarge', `${this.file} would have more than ${limitText}`, {
        reason: 'usage',
        hint: 'nothing was changed; name CAs as files (certificateAuthority) to make it smaller',
      });
    }
    return { text, after: await loadConfigYaml(edited, this.#loading()) };
  }

  /**
   * Updates the JSON Schema beside a config.yaml that names it. A failure is only logged: the broker doesn’t need it.
   */
  async #refreshSchema(text: string): Promise<void> {
    if (!text.includes(`$schema=./${schemaFileName}`)) {
      return;
    }
    const file = join(dirname(this.file), schemaFileName);
    const [wanted, found] = [configJsonSchemaText(), await readBounded(file)];
    if (found === null || (found.ok && found.text !== wanted)) {
      const temporaryName = '.config.schema.json.lanyard.tmp';
      await writeDurably(file, wanted, { mode: 0o600, temporaryName }).catch((error: unknown) => {
        this.#options.log.warn('config.schema', { error: String(error) });
      });
    }
  }

  #onEvent(): void {
    this.#debounce?.dispose();
    if (!this.#ended) {
      const wait = this.#options.debounceMilliseconds ?? 100;
      this.#debounce = this.#after(wait, () => this.#lookAgain(false));
    }
  }

  #schedulePoll(): void {
    if (!this.#ended) {
      this.#poll = this.#after(this.#options.pollMilliseconds ?? 2000, () => {
        this.#lookAgain(true);
        this.#schedulePoll();
      });
    }
  }

  #lookAgain(missingCounts: boolean): void {
    const look = async () => {
      if (!this.#ended && (await stampsOf(this.#watchedFiles())) !== this.#stamps) {
        await this.#load(missingCounts);
      }
    };
    this.#queue.run(look).catch((error: unknown) => {
      this.#options.log.error('config.reload', { error: String(error) });
    });
  }
}

function refused(result: LoadResult, message: string): BrokerError {
  const first = result.problems.filter(({ severity }) => severity === 'error').map(describeProblem);
  return new BrokerError('config.invalid', message, { reason: 'usage', hint: first.slice(0, 5).join('\n') });
}

function unreferencedTimer(milliseconds: number, run: () => void): Disposable {
  const timer = setTimeout(run, milliseconds).unref();
  return { dispose: () => clearTimeout(timer) };
}
