import type { Readable, Writable } from 'node:stream';
import type { RunOrder, RunOutcome, RunWatch } from './program-runner.ts';

/** A program that is kept running. */
export type KeepOrder = Pick<RunOrder, 'command' | 'args' | 'env'> & {
  /** Absolute. */
  cwd: string;
};

/** It runs, or is about to: whether it could be started, `ended` tells. */
export interface KeptProgram {
  /** What it reads on standard input. */
  readonly stdin: Writable;
  /** What it writes to standard output: untrusted, and of any length. */
  readonly stdout: Readable;
  /** Resolves when it has ended, with all that it started; `exited` is without its output. */
  readonly ended: Promise<RunOutcome>;
  /** Ends it with all that it started. `ended` is `lost` immediately. */
  kill(): void;
}

/** Starts a program and keeps it running, without limits of its own. Never rejects. */
export type KeepProgram = (
  order: KeepOrder,
  watch: Pick<RunWatch, 'onStderr'>,
) => Promise<KeptProgram | Extract<RunOutcome, { how: 'notStarted' }>>;
