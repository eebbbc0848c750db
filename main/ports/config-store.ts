import type { Disposable } from '../base/disposables.ts';
import type { ConfigGroup } from '../contract/config/config.ts';
import type { SettingName } from '../contract/config/settings.ts';
import type { EntryName, LoadedAccount, LoadedConfig, LoadedEntries } from '../domain/loaded-config.ts';

export type {
  EntryName,
  LoadedAccount,
  LoadedCluster,
  LoadedConfig,
  LoadedEntries,
  LoadedInventory,
  LoadedRegistry,
} from '../domain/loaded-config.ts';

/** A problem in the file, shown with its position. Warnings leave the file active. */
export interface ConfigProblem {
  severity: 'error' | 'warning';
  file: string;
  /** From 1; null: the whole file. */
  line: number | null;
  column: number | null;
  /** The keys that lead to it; empty: the whole file. */
  path: readonly (string | number)[];
  /** Lower case: what is wrong and what was expected. */
  message: string;
}

/** One edit by the user; the file's comments and order stay. */
export type EntryEdit = SetEdit | (EntryName & { kind: 'remove' });

export interface SetEdit extends EntryName {
  kind: 'set';
  value: unknown;
}

/** One key of an entry that is there; its others stay as the file has them by then. Not for accounts. */
export interface SetKeyEdit extends EntryName {
  kind: 'setKey';
  key: string;
  value: unknown;
}

export type ConfigEdit =
  | EntryEdit
  | SetKeyEdit
  /** A top-level setting; `{}` removes it. */
  | { kind: 'setSetting'; name: SettingName; value: Readonly<Record<string, unknown>> };

/** An entry as config.yaml has it, without defaults. */
export type WrittenEntry = Readonly<Record<string, unknown>>;

export interface ConfigStore {
  readonly file: string;
  current(): LoadedConfig;
  /** Problems of the file as it is on disk now. An error among them means: `current()` is an older reading. */
  problems(): readonly ConfigProblem[];
  /** Called after each change of `current()` or `problems()`. */
  onChange(listener: () => void): Disposable;
  /**
   * Makes all the edits in one durable write, and makes the result active before it returns. Throws BrokerError
   * `config.invalid` (reason usage) where the result would not be valid, and then changes nothing.
   * Where the edits depend on what the file has, give a function: it gets the file as it is read for this write, after
   * all earlier ones, and may be called again.
   */
  edit(edits: readonly ConfigEdit[] | ((now: LoadedConfig) => readonly ConfigEdit[])): Promise<void>;
  /** What would be wrong in the file after the edits; writes nothing. Throws as `edit` does where they can't be made. */
  check(edits: readonly ConfigEdit[]): Promise<readonly ConfigProblem[]>;
  /** An entry as it is written in the file now, without defaults; null: there is none, or the file has errors. */
  entry(group: ConfigGroup, name: string): Promise<WrittenEntry | null>;
  /** The same of several, by one reading; those that there are none of are left out. */
  entries(group: ConfigGroup, names: readonly string[]): Promise<ReadonlyMap<string, WrittenEntry>>;
  /** The entries that edits state, loaded alone, whatever the file says of them by then. */
  stated(edits: readonly ConfigEdit[]): Promise<LoadedEntries>;
  /** Reads the file again now (the watcher does this automatically). */
  reload(): Promise<void>;
}

/** The active configuration: in the forms that were approved (rule: confirmed-binding). */
export type ActiveConfig = Pick<ConfigStore, 'file' | 'current' | 'problems'>;

/** What is wrong with an account that is not in the file (yet). */
export interface DraftFinding {
  severity: 'error' | 'warning';
  /** The path inside the account, its kind first: `['oidc', 'issuer']`; empty: the whole account. */
  path: readonly (string | number)[];
  /** Lower case: what is wrong and what was expected. */
  text: string;
}

/** Checks accounts that aren't written yet. */
export interface AccountDrafts {
  /**
   * Checks a value as the file's reader would; `account` is null where it has errors. Reads the files that it names.
   */
  look(
    account: string,
    value: unknown,
  ): Promise<{ account: LoadedAccount | null; findings: readonly DraftFinding[] }>;
}
