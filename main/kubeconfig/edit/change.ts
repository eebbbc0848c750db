/** One change of the user's kubeconfig. The rest of the text stays, byte for byte: comments, order, unknown fields. */
export type KubeconfigChange =
  /**
   * The user runs `exec` from now on: what authenticated it before goes (token, tokenFile, client-*, username, password,
   * auth-provider, an earlier exec); what else it says (`as`, extensions, unknown keys) stays.
   */
  | { kind: 'setUserExec'; user: string; exec: object }
  /** A new user, written after `after` (a user of the same file), with `after`'s other keys (`as`, …) copied. */
  | { kind: 'addUser'; user: string; exec: object; after: string }
  | { kind: 'setContextUser'; context: string; user: string }
  | { kind: 'setCurrentContext'; context: string }
  /** Entries of one list that go, that get another value, and that come, at its end. */
  | ListChange;

export type ListName = 'clusters' | 'contexts' | 'users';

export interface ListChange {
  kind: 'changeList';
  list: ListName;
  remove: ReadonlySet<string>;
  /** By name: the cluster, context or user as it is afterwards. */
  set: ReadonlyMap<string, object>;
  add: ReadonlyMap<string, object>;
}

/** The key of an entry beside its name. */
export const innerKeys = { clusters: 'cluster', contexts: 'context', users: 'user' } as const;

/** A place where the texts differ; secrets are masked. */
export interface Hunk {
  /** From 1, of the first line, in the old and the new text. */
  oldLine: number;
  newLine: number;
  /** Lines without their ends. */
  removed: readonly string[];
  added: readonly string[];
  /**
   * How many lines go and come where they are not shown, for they are too many, or a text can't be read and its
   * secrets not told from the rest; `removed` and `added` are empty then.
   */
  omitted?: { removed: number; added: number };
}

export type EditedKubeconfig =
  | { ok: true; text: string; hunks: readonly Hunk[] }
  /** The text can’t be edited without changing the rest (an anchor that others use, a missing entry). */
  | { ok: false; fault: string };
