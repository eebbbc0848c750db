import type { Secret } from '../base/secret.ts';

/** A program to be run: a wrapped exec plugin (KEP-541). */
export interface RunOrder {
  /** Absolute. */
  command: string;
  args: readonly string[];
  /** Its environment, whole but for `pass`. */
  env: Readonly<Record<string, string>>;
  /** Names of the runner's own variables that go along where `env` has none of them; `LC_*`, `*`. */
  pass: readonly string[];
  /** Absolute; null: the runner's own. */
  cwd: string | null;
  /** The person's terminal is its standard input, and it is that terminal's foreground group. */
  terminal: boolean;
  /** The most that its standard output may hold. */
  maxBytes: number;
  timeoutSeconds: number;
}

/** How a run ended. */
export type RunOutcome =
  | { how: 'exited'; code: number; stdout: Secret }
  | { how: 'signalled'; signal: number }
  | { how: 'notFound' }
  /** `message`: the system's words, without control characters. */
  | { how: 'notStarted'; message: string }
  | { how: 'tooLarge' }
  | { how: 'timedOut' }
  /** The person ended it at the terminal. */
  | { how: 'interrupted'; signal: number }
  /** A terminal was ordered, and there is none that can be handed over. */
  | { how: 'noTerminal' }
  /** Whoever ran it is gone, or the run was aborted: nothing is known of its end. */
  | { how: 'lost' };

export interface RunWatch {
  /** What it wrote to stderr, in pieces as they come: bytes of a stranger, still to be stripped. */
  onStderr(bytes: Buffer): void;
  /**
   * The runner hasn't been heard of for the length of its lease: stopped (Ctrl-Z), or hanging. `false` when it is
   * heard of again.
   */
  onLapse(lapsed: boolean): void;
  /** Ends the program with all it started; the run is `lost` at once, and what comes later is dropped. */
  signal: AbortSignal;
}

/** Runs programs within limits, and ends them with all they started. One at a time each. */
export interface ProgramRunner {
  /** The process that has the program as its child, for telling who descends from it. Null: not known yet. */
  readonly process: { pid: number; startTime: string } | null;
  /** Never rejects. */
  run(order: RunOrder, watch: RunWatch): Promise<RunOutcome>;
}
