import type { AccountConfig, ClusterConfig, Settings } from '../contract/config/config.ts';
import type { BoundProgram } from './program/program-check.ts';

/** An account as loaded: paths absolute, files that shape where secrets go already read. */
export interface LoadedAccount {
  name: string;
  config: AccountConfig;
  /** The certificates of `oidc.certificateAuthority` or its data, as PEM; the file's other content is dropped. */
  certificateAuthorityPem: string | null;
}

/** A cluster as loaded: its CA already read. */
export interface LoadedCluster {
  name: string;
  config: ClusterConfig;
  /**
   * The certificates of `certificateAuthority` or its data, as PEM; the file's other content is dropped. Null: the
   * system's CAs.
   */
  certificateAuthorityPem: string | null;
}

/** What is active: the last valid reading. */
export interface LoadedConfig {
  accounts: ReadonlyMap<string, LoadedAccount>;
  clusters: ReadonlyMap<string, LoadedCluster>;
  settings: Settings;
}

/**
 * What the user approved (rule: confirmed-binding): the canonical shape of each account, cluster and policy setting,
 * as JSON text.
 */
export interface Confirmed {
  accounts: Record<string, string>;
  clusters: Record<string, string>;
  /** By setting: `lock`. */
  settings: Record<string, string>;
  /** By account: the program that its command resolved to. An account without one is bound at its first run. */
  programs: Record<string, BoundProgram>;
  /** The form to serve where config.yaml has changed since (approved-form.ts). A vault of an older Lanyard has none. */
  forms: { accounts: Record<string, string>; clusters: Record<string, string> };
}
