import type { Secret } from '../base/secret.ts';
import type { Confirmed } from '../domain/loaded-config.ts';

export type { Confirmed } from '../domain/loaded-config.ts';

/** One login of an OIDC account. Pinned to issuer and subject (rule: same-identity). */
export interface Session {
  issuer: string;
  clientId: string;
  subject: string;
  /** Claims of the id token, for display. */
  claims: Record<string, unknown>;
  refreshToken: Secret | null;
  /** The token that doors issue, with its life; milliseconds since 1970. */
  token: { value: Secret; issuedAt: number; expiresAt: number | null } | null;
  /** What came with an id token, to be exchanged for other audiences; null: `token` is the access token. */
  accessToken: { value: Secret; expiresAt: number | null } | null;
  loggedInAt: number;
  /** Counts renewals from 1. */
  generation: number;
  /**
   * Set on disk before the refresh token is used, and cleared with the answer (rule: nothing-lost). Found at a start:
   * the process ended in between; the old token is tried once.
   */
  intent: { at: number } | null;
  /** The provider rejected the token after an interrupted refresh: the user has to log in. */
  interrupted: boolean;
  /** Why the provider rejects the refresh token; null: it doesn't, or there never was one. */
  ended: EndedSession | null;
  /** Restored from the previous generation: tried only on request. */
  stale: boolean;
}

/** The provider rejected a refresh token, for good. */
export interface EndedSession {
  /** `ended`: the token is no longer valid. `person`: a policy requires the user to log in again. */
  why: 'ended' | 'person';
  /** The provider's own words, stripped for display. */
  said: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The decrypted content. Treat as immutable: `update` takes a function to the next content. */
export interface VaultContent {
  sessions: Readonly<Record<string, Session>>;
  /** By account, then by name: token, certificate, key, clientSecret. */
  secrets: Readonly<Record<string, Readonly<Record<string, Secret>>>>;
  confirmed: Confirmed;
  /** What `docker login` stored, by the server's key (domain/image/registry-server.ts). */
  registryLogins: Readonly<Record<string, RegistryLogin>>;
  /** docker's configuration files that `lanyard docker install` edited, by their absolute path. */
  dockerConfigs: Readonly<Record<string, DockerConfigEdit>>;
  /** The user's files as they were before Lanyard edited them; the newest last. */
  backups: readonly Backup[];
  /** While the UI is served to a browser: lets its open pages reconnect after a restart of the broker. */
  ui?: UiAccess;
  /** Once a cluster was proxied. */
  requestProxy?: RequestProxyKeys;
}

/** What the request proxy keeps (docs/adr/0030). */
export interface RequestProxyKeys {
  /** Of the listener, outside the system’s ephemeral range. */
  port: number;
  /** The CA that kubeconfigs have; PEM. Its key issues the listener’s certificates. */
  authority: { certificate: string; key: Secret };
  /** Signs the ways in; 32 bytes in base64. Replaced at each lock, which ends all of them. */
  key: Secret;
  /** By proxied cluster: another text once its approval was taken back. */
  epochs: Readonly<Record<string, string>>;
}

/** One stored entry of docker's credential helper protocol. */
export interface RegistryLogin {
  /** As the client wrote it when it stored the entry: `list` names it so. */
  serverUrl: string;
  /** `<token>`: the secret is an identity token. */
  userName: string;
  /** The password or the token; may be empty. */
  secret: Secret;
}

/** One config.json of docker's: what it was, and what Lanyard did to it. */
export interface DockerConfigEdit {
  /** When it was first edited; milliseconds since 1970. */
  at: number;
  /** Permission bits before the first edit. */
  mode: number;
  /** Its text before the first edit; it may have passwords. Null: there was no file. */
  before: Secret | null;
  /** SHA-256 in hex of each text that Lanyard wrote since. An equal file has not changed since. */
  written: readonly string[];
  /** Lanyard set `credsStore`. */
  credsStore: boolean;
  /** The keys that Lanyard set in `credHelpers`. */
  credHelpers: readonly string[];
}

/** As whom and where the UI's pages were let in. */
export interface UiAccess {
  port: number;
  sessions: readonly UiSessionKey[];
}

/** What the pages of one browser prove themselves with. */
export interface UiSessionKey {
  id: string;
  /** 32 bytes in base64url. */
  secret: Secret;
  /** Milliseconds since 1970. */
  goodUntil: number;
}

/** One file of the user's, complete, from just before an edit. */
export interface Backup {
  id: string;
  /** Absolute, as the user named it. */
  file: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Permission bits. */
  mode: number;
  /** The bytes, gzip, in base64: they may contain secrets. */
  content: Secret;
  /** SHA-256 in hex of the bytes that Lanyard wrote instead: an equal file has not changed since. */
  writtenDigest: string;
}

/** A way to the vault's key. */
export type SlotKind = 'keychain' | 'passphrase' | 'recoveryKey';

export type VaultState =
  /** No vault file yet. `reason`: why none could be made automatically. */
  | { kind: 'none'; reason: string }
  | { kind: 'open'; slots: readonly SlotKind[]; generation: number }
  /**
   * `how` says what opens it next: the keychain, a passphrase, or a click (the user closed the gate). `ways`: all
   * unlock methods, where the file lists them.
   */
  | {
      kind: 'locked';
      how: 'keychain' | 'passphrase' | 'gate';
      reason: string;
      ways?: readonly SlotKind[];
    }
  /** Unreadable: damaged, truncated, from a newer Lanyard, or without permission. Nothing is overwritten. */
  | { kind: 'broken'; code: string; reason: string; hint: string };

/** The one encrypted file. All calls except `state` and `hasRegistryLogin` throw BrokerError (reason locked) while it isn't open. */
export interface Vault {
  state(): VaultState;
  read(): VaultContent;
  /**
   * Whether there is a stored entry for a server, by its key; the file says so also while it is locked. True where that
   * isn’t known: the file is broken.
   */
  hasRegistryLogin(serverKey: string): boolean;
  /**
   * Computes the next content from the current one and writes it; one at a time, in order. When it resolves, the
   * content is on disk. When it rejects, memory is as the disk: unchanged, or changed where only the sync failed.
   * `bothGenerations` also replaces the previous generation (a logout must not leave the old token there).
   */
  update(
    next: (content: VaultContent) => VaultContent,
    options?: { bothGenerations?: boolean },
  ): Promise<void>;
}
