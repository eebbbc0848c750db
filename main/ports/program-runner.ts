import type { Secret } from '../base/secret.ts';

/** A program to run: a wrapped exec plugin (KEP-541), or an image credential provider (KEP-2133). */
export interface RunOrder {
  /** Absolute. */
  command: string;
  args: readonly string[];
  /** Its complete environment, except for `pass`. */
  env: Readonly<Record<string, string>>;
  /** Names of the runner's own variables to pass where `env` lacks them; `LC_*`, `*`. */
  pass: readonly string[];
  /** Absolute; null: the runner's own. */
  cwd: string | null;
  /** The user's terminal is its standard input, and it is that terminal's foreground group. */
  terminal: boolean;
  /** What it reads on standard input, without a terminal; absent: nothing. */
  input?: Secret | undefined;
  /** What it leaves running is killed when it ends well, too; absent: it is left alone. */
  endsAll?: boolean | undefined;
  /**
   * It may be its client’s proxy (KEP-2718): once it has answered with one, the run is over, and it runs on beside its
   * helper. Absent: its end is waited for.
   */
  runsOn?: boolean | undefined;
  /** Limit of its standard output, in bytes. */
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
  /** The user ended it at the terminal. */
  | { how: 'interrupted'; signal: number }
  /** A terminal was requested, and none can be handed over. */
  | { how: 'noTerminal' }
  /** The runner has ended, or the run was aborted: nothing is known of the program's end. */
  | { how: 'lost' };

export interface RunWatch {
  /** What it wrote to stderr, in pieces as they arrive: untrusted bytes, not stripped yet. */
  onStderr(bytes: Buffer): void;
  /**
   * `true`: the runner has been silent for the length of its lease, so it is stopped (Ctrl-Z) or hangs. `false`: it
   * is heard of again.
   */
  onLapse(lapsed: boolean): void;
  /** Ends the program with all that it started; the run is `lost` immediately, and later output is dropped. */
  signal: AbortSignal;
}

/** Runs programs within limits, and ends them with all that they started. Each runs one at a time. */
export interface ProgramRunner {
  /** The process that has the program as its child, for telling its descendants. Null: not known yet. */
  readonly process: { pid: number; startTime: string } | null;
  /** Never rejects. */
  run(order: RunOrder, watch: RunWatch): Promise<RunOutcome>;
}
