import type { Refusal } from '../contract/refusal.ts';

/** A kubeconfig of the user's that Lanyard edited in place, and whose old content the vault keeps. */
export interface EditedKubeconfig {
  /** Absolute. */
  file: string;
  /** When Lanyard first edited it; milliseconds since 1970. */
  at: number;
  /** It has changed since Lanyard wrote it. */
  changedSince: boolean;
}

/** Restores what an import in place has changed. Throws BrokerError (reason locked) while the vault isn't open. */
export interface UndoKubeconfigs {
  /** Those that have not been restored yet. */
  list(): Promise<readonly EditedKubeconfig[]>;
  /** The difference that restoring it makes, for display, secrets masked. */
  difference(file: string): Promise<string>;
  /**
   * Restores the file as it was before Lanyard first edited it, in one atomic write. Refuses where it was changed
   * since, unless `evenIfChanged` is true. After success, `list` no longer has the file.
   */
  undo(file: string, options: UndoOptions): Promise<{ ok: true } | Refusal>;
}

export interface UndoOptions {
  evenIfChanged: boolean;
  /** Shows the user who waits that another program has the file locked. */
  waiting: { signal: AbortSignal; say(sentence: string): void };
}
