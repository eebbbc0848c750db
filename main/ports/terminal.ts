import type { Secret } from '../base/secret.ts';
import type { ProgramRunner } from './program-runner.ts';

/** The person at the helper's terminal, during one request. */
export interface Terminal {
  /** There is somebody to ask: a controlling terminal, and a door whose mask allows prompts. */
  readonly canPrompt: boolean;
  /** Standard output is a terminal: what is written there is seen. */
  readonly stdoutIsTerminal?: boolean;
  /**
   * The helper takes marks of domain/text/style.ts, and leaves them out where they aren't wanted; without this the CLI door
   * leaves them out.
   */
  readonly styles?: boolean;
  /** Shows text on the helper's stderr now. */
  print(text: string): void;
  /** Writes a piece of standard output now; false where the helper is too old for that. */
  writeStdout(text: string): boolean;
  /**
   * Asks for one line; null when nobody answers, it is interrupted, or `signal` takes the question back (a helper that is
   * too old for that shows it until its request ends).
   */
  ask(question: string, options?: { echo?: boolean; signal?: AbortSignal }): Promise<Secret | null>;
  /** All of standard input; null when there is none. */
  readStdin(maxBytes: number): Promise<Secret | null>;
  /**
   * Variables of the helper's environment, those that are set (`AWS_*`: all that begin so); null where the helper can't tell (an older one, or a
   * door whose mask forbids it). Of the caller's making: never a ground to widen anything.
   */
  environment(names: readonly string[]): Promise<Readonly<Record<string, string>> | null>;
  /** The helper runs programs; null where it can't (an older one, or a door whose mask forbids it). */
  readonly runner: ProgramRunner | null;
  /** Standard input is the person's terminal, and there is one to hand over to a program. */
  readonly canLend: boolean;
  /** Tells the helper to wait this many seconds more. */
  extend(seconds: number): void;
}
