import type { ExitCode } from '../contract/exit-codes.ts';
import { exitCodes } from '../contract/exit-codes.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { Caller } from './caller.ts';
import type { Terminal } from './terminal.ts';

/** What each request carries besides its own fields; the caller comes from the connection. */
export interface DoorContext {
  caller: Caller;
  /** Names of the caller and of the processes above it, nearest first, read when called; for display. */
  lineage(): readonly string[];
  /** The caller and the processes above it, nearest first: used to tell which of them Lanyard itself runs. */
  ancestors(): readonly { pid: number; startTime: string }[];
  terminal: Terminal;
  /** The helper's own version, as it says; for display. */
  helperVersion?: string | undefined;
  /** Aborts when the helper has ended. */
  signal: AbortSignal;
}

/** How the helper ends: `stdout` in one piece, only what the door's protocol defines. */
export interface DoorAnswer {
  code: ExitCode;
  stdout?: string;
  stderr?: string;
}

/** A protocol through which clients ask. `request` is the hello frame's, not yet parsed. */
export type Door = (request: unknown, context: DoorContext) => Promise<DoorAnswer>;

/** A refusal as the helper shows it: client-go prints the line on the user's terminal. */
export function refusalAnswer(refusal: Refusal): DoorAnswer {
  const hint = refusal.hint === undefined ? '' : `hint: ${refusal.hint}\n`;
  return { code: exitCodes[refusal.reason], stderr: `lanyard: ${refusal.message}\n${hint}` };
}
