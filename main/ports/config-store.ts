import type { Disposable } from '../base/disposables.ts';
import type { AccountConfig, ClusterConfig } from '../contract/config.ts';

/** An account as loaded: paths absolute, files that shape where secrets go already read. */
export interface LoadedAccount {
  name: string;
  config: AccountConfig;
  /** The PEM text of `oidc.certificateAuthority`. */
  certificateAuthorityPem: string | null;
}

export interface LoadedCluster {
  name: string;
  config: ClusterConfig;
  certificateAuthorityPem: string | null;
}

/** A problem in the file: shown with its place. Warnings leave the file in force. */
export interface ConfigProblem {
  severity: 'error' | 'warning';
  file: string;
  /** From 1; null where the problem is the whole file's. */
  line: number | null;
  column: number | null;
  /** Lower case: what is wrong and what was expected. */
  message: string;
}

/** What is in force: the last good reading. */
export interface LoadedConfig {
  accounts: ReadonlyMap<string, LoadedAccount>;
  clusters: ReadonlyMap<string, LoadedCluster>;
}

/** One edit by a person; comments and order of the file stay. */
export type ConfigEdit =
  | { kind: 'setAccount'; name: string; value: unknown }
  | { kind: 'removeAccount'; name: string }
  | { kind: 'setCluster'; name: string; value: unknown }
  | { kind: 'removeCluster'; name: string };

export interface ConfigStore {
  readonly file: string;
  current(): LoadedConfig;
  /** Problems of the file as it is on disk now. An error among them means: `current()` is an older reading. */
  problems(): readonly ConfigProblem[];
  /** Called after each change of `current()` or `problems()`. */
  onChange(listener: () => void): Disposable;
  /**
   * Edits the file durably and takes the result into force before it returns. Throws BrokerError
   * `config.invalid` (reason usage) where the result would not be valid, and then changes nothing.
   */
  edit(edit: ConfigEdit): Promise<void>;
  /** Reads the file again now (the watcher does this by itself). */
  reload(): Promise<void>;
}
