import type { Refusal } from '../contract/refusal.ts';

/** A person's kubeconfig that Lanyard edited in place, and whose old content the vault keeps. */
export interface EditedKubeconfig {
  /** Absolute. */
  file: string;
  /** When it was edited first; milliseconds since 1970. */
  at: number;
  /** It isn't as Lanyard wrote it any more. */
  changedSince: boolean;
}

/** Puts back what an import in place has changed. Throws BrokerError (reason locked) while the vault isn't open. */
export interface UndoKubeconfigs {
  /** Those that have not been put back yet. */
  list(): Promise<readonly EditedKubeconfig[]>;
  /** The difference that putting it back makes, for people, secrets masked. */
  difference(file: string): Promise<string>;
  /**
   * Puts the file back as it was before Lanyard first edited it, whole and at once. Refuses where it was changed since
   * and `evenIfChanged` isn't said. When it resolves well, `list` no longer has the file.
   */
  undo(file: string, options: UndoOptions): Promise<{ ok: true } | Refusal>;
}

export interface UndoOptions {
  evenIfChanged: boolean;
  /** The person who waits, where another program has the file locked. */
  waiting: { signal: AbortSignal; say(sentence: string): void };
}
