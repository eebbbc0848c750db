import type { AccountConfig, ClusterConfig } from '../contract/config.ts';

/** An account as loaded: paths absolute, files that shape where secrets go already read. */
export interface LoadedAccount {
  name: string;
  config: AccountConfig;
  /** The certificates of `oidc.certificateAuthority`, PEM, nothing else of the file. */
  certificateAuthorityPem: string | null;
}

/** A cluster as loaded: its CA already read. */
export interface LoadedCluster {
  name: string;
  config: ClusterConfig;
  /** The certificates of `certificateAuthority`, PEM, nothing else of the file. Null: the system's CAs count. */
  certificateAuthorityPem: string | null;
}

/** What is in force: the last good reading. */
export interface LoadedConfig {
  accounts: ReadonlyMap<string, LoadedAccount>;
  clusters: ReadonlyMap<string, LoadedCluster>;
}

/** What the person confirmed (rule 8): the canonical shape of each account and cluster, as JSON text. */
export interface Confirmed {
  accounts: Record<string, string>;
  clusters: Record<string, string>;
}
