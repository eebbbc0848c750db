import type { Secret } from '../../base/secret.ts';

/**
 * The user's kubeconfig as client-go reads it (k8s.io/client-go/tools/clientcmd/api/v1). What may be secret is a
 * Secret; paths are absolute, resolved against the file that names them.
 */

/** The position of an entry. */
export interface Origin {
  /** Absolute, as the user named it; symbolic links are not resolved. Of a given text its name (given-text.ts). */
  file: string;
  /** From 1. */
  line: number;
  /** Its name there. In an import of several files the entry may have another one, which no other entry has. */
  name: string;
}

/** A file that an entry names: its content, or why it can't be read (lower case, no full stop). */
export type NamedFile<Content> = { path: string } & (
  | { ok: true; content: Content }
  | { ok: false; fault: string }
);

export interface UnreadableData {
  ok: false;
  /** Lower case, no full stop. */
  fault: string;
  /** A tool left the data out (`isPlaceholder`). */
  isPlaceholder?: true;
}

export interface KubeCluster {
  name: string;
  origin: Origin;
  server: string;
  tlsServerName: string | null;
  insecureSkipTlsVerify: boolean;
  proxyUrl: string | null;
  /**
   * The CA as client-go takes it: data before a path. `pem`: what was read, still unchecked; `fault`: invalid base64,
   * or a file that can't be read. Null: the system's CAs.
   */
  certificateAuthority: ({ path: string | null } & ({ ok: true; pem: string } | UnreadableData)) | null;
  disableCompression: boolean;
  /** What its plugins are told of it (the extension client.authentication.k8s.io/exec, KEP-541); null: nothing. */
  execConfig: ReadJson | null;
}

/** A JSON value; `fault` continues its name. */
export type ReadJson = { ok: true; value: unknown } | { ok: false; fault: string };

export interface KubeContext {
  name: string;
  origin: Origin;
  cluster: string;
  user: string;
  namespace: string | null;
}

export interface KubeExec {
  /** Null where it says none. */
  apiVersion: string | null;
  /** As written; resolved against the file's folder where it has a path separator. */
  command: string;
  /** May contain secrets (kubelogin's --oidc-client-secret): never shown, never logged. */
  args: readonly Secret[];
  env: readonly { name: string; value: Secret }[];
  installHint: string | null;
  provideClusterInfo: boolean;
  /** As written; null: absent (then the version decides). */
  interactiveMode: string | null;
}

export interface KubeUser {
  name: string;
  origin: Origin;
  token: Secret | null;
  tokenFile: NamedFile<Secret> | null;
  /** Data before path, as in client-go; null: neither. Path null: the data is in the kubeconfig. */
  clientCertificate: ({ path: string | null } & ({ ok: true; pem: string } | UnreadableData)) | null;
  clientKey: ({ path: string | null } & ({ ok: true; pem: Secret } | UnreadableData)) | null;
  username: string | null;
  password: Secret | null;
  /** It impersonates (`as`, `as-uid`, `as-groups`, `as-user-extra`). */
  impersonates: boolean;
  authProvider: { name: string; config: Readonly<Record<string, Secret>> } | null;
  exec: KubeExec | null;
  /** Unknown keys. */
  unknownKeys: readonly string[];
}

/** A problem in a file. An error: nothing of that file was taken. */
export interface KubeconfigProblem {
  severity: 'error' | 'warning';
  file: string;
  /** From 1; null: it concerns the whole file. */
  line: number | null;
  column: number | null;
  /** Lower case, no full stop, no secret. */
  message: string;
}

/** One file as it was read. */
export interface KubeconfigFile {
  path: string;
  /** The target of symbolic links; the file that is written. */
  target: string;
  /** Bytes as text; null: there is no such file (client-go skips it). */
  text: string | null;
  /** Permission bits, such as 0o600; null: there is no such file, or the system has none (Windows). */
  mode: number | null;
}

/** An entry that no context leads to, for an earlier file has one of its name. */
export type HiddenEntry = {
  name: string;
  origin: Origin;
  /** The entry that hides it. */
  by: Origin;
  /** Both say the same. */
  isSame: boolean;
} & (
  | { what: 'context' }
  | { what: 'cluster'; cluster: Pick<KubeCluster, 'server' | 'proxyUrl'> }
  // It may have secrets.
  | { what: 'user'; user: KubeUser }
);

/**
 * Several files, either merged as in client-go (the first value wins; entries of a map aren't merged), or each read by
 * itself. Then an entry whose name another file has already gets a number, and nothing is hidden.
 */
export interface MergedKubeconfig {
  files: readonly KubeconfigFile[];
  problems: readonly KubeconfigProblem[];
  currentContext: { name: string; file: string } | null;
  clusters: ReadonlyMap<string, KubeCluster>;
  contexts: ReadonlyMap<string, KubeContext>;
  users: ReadonlyMap<string, KubeUser>;
  hidden: readonly HiddenEntry[];
}
