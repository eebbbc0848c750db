import type { AccountConfig, ClusterConfig, Settings } from '../contract/config/config.ts';
import type { BoundProgram } from './program/program-check.ts';

/** An account as loaded: paths absolute, files that shape where secrets go already read. */
export interface LoadedAccount {
  name: string;
  config: AccountConfig;
  /** The certificates of `oidc.certificateAuthority` or its data, PEM, nothing else of the file. */
  certificateAuthorityPem: string | null;
}

/** A cluster as loaded: its CA already read. */
export interface LoadedCluster {
  name: string;
  config: ClusterConfig;
  /** The certificates of `certificateAuthority` or its data, PEM, nothing else of the file. Null: the system's CAs count. */
  certificateAuthorityPem: string | null;
}

/** What is in force: the last good reading. */
export interface LoadedConfig {
  accounts: ReadonlyMap<string, LoadedAccount>;
  clusters: ReadonlyMap<string, LoadedCluster>;
  settings: Settings;
}

/**
 * What the person approved (rule: confirmed-binding): the canonical shape of each account, cluster and policy setting,
 * as JSON text.
 */
export interface Confirmed {
  accounts: Record<string, string>;
  clusters: Record<string, string>;
  /** By setting: `lock`. */
  settings: Record<string, string>;
  /** By account: what its command led to. An account without one is bound at its first run. */
  programs: Record<string, BoundProgram>;
  /** What is served where config.yaml has another form by now (approved-form.ts). A vault of an older Lanyard has none. */
  forms: { accounts: Record<string, string>; clusters: Record<string, string> };
}
