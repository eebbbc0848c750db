import type { Secret } from '../base/secret.ts';
import type { ProgramRunner } from './program-runner.ts';

/** The user at the helper's terminal, during one request. */
export interface Terminal {
  /** The user can be asked: there is a controlling terminal, and the door's mask allows prompts. */
  readonly canPrompt: boolean;
  /** Standard output is a terminal: the user sees what is written there. */
  readonly stdoutIsTerminal?: boolean;
  /** How many columns that terminal has; null: nothing is to be shortened. */
  readonly columns?: number | null;
  /**
   * The helper takes marks of domain/text/style.ts, and drops them where they aren't wanted; without this the CLI
   * door drops them.
   */
  readonly styles?: boolean;
  /** Shows text on the helper's stderr immediately. */
  print(text: string): void;
  /** Writes a piece of standard output immediately; false: the helper is too old for that. */
  writeStdout(text: string): boolean;
  /**
   * Asks for one line. Null: there was no answer, it was interrupted, or `signal` withdrew the question (an older
   * helper shows it until its request ends).
   */
  ask(question: string, options?: { echo?: boolean; signal?: AbortSignal }): Promise<Secret | null>;
  /** All of standard input; null: there is none. */
  readStdin(maxBytes: number): Promise<Secret | null>;
  /**
   * The variables among these that are set in the helper's environment (`AWS_*`: all that begin so); null: the helper
   * can't tell (an older one, or a door whose mask forbids it). The caller controls them: never a ground to widen
   * anything.
   */
  environment(names: readonly string[]): Promise<Readonly<Record<string, string>> | null>;
  /** The helper runs programs; null: it can't (an older one, or a door whose mask forbids it). */
  readonly runner: ProgramRunner | null;
  /** Standard input is the user's terminal, and can be handed over to a program. */
  readonly canLend: boolean;
  /** Tells the helper to wait this many seconds more. */
  extend(seconds: number): void;
}
