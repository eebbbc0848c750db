import type { Refusal } from '../../contract/refusal.ts';
import type { Terminal } from '../../ports/terminal.ts';
import type { BoardAnswer, Elsewhere, QuestionAbout } from './question-board.ts';

/** Asks for one line at the terminal; null: the user gave none (end of file, an interrupt). */
export type AskLine = (text: string) => Promise<string | null>;

/** What the user answered elsewhere than at the terminal. */
export interface Said<T> {
  value: T;
  /** All requests that wait for this answer, or those at the terminal of the one that was shown. */
  covers: 'all' | 'terminal';
}

/** One request that waits for the user's answer. */
export interface Waiter<T> {
  /** Requests with the same key share one question and its answer; null: it is this request's only. */
  key: string | null;
  /** The terminal (domain/approval/approval.ts, `sessionKey`); null: unknown. */
  terminalId: string | null;
  terminal: Terminal;
  /** The user may be there to ask. */
  canBeAsked: boolean;
  /** Aborts when the caller has gone. */
  signal: AbortSignal;
  /**
   * Asks the question at the terminal; null: no answer. `take` makes an answer count, before anything is done for it:
   * it throws if one from elsewhere came first.
   */
  dialogue(ask: AskLine, take: () => void): Promise<T | null>;
  /** What pages show of it. */
  about(): Promise<QuestionAbout>;
  /** Carries out an answer from elsewhere. Throws BrokerError where that fails: the question stays open. */
  answered(answer: BoardAnswer, where: Elsewhere): Promise<Said<T>>;
}

export type Reply<T> =
  | { kind: 'answered'; value: T; by: Waiter<T> }
  /** The question was at this request's terminal, and was left without an answer. */
  | { kind: 'left' }
  | { kind: 'nobody' }
  | { kind: 'timedOut' }
  | { kind: 'ended'; refusal: Refusal };

/** A request in its place in the row, until it is settled or its caller has gone. */
export interface Seat<T> {
  waiter: Waiter<T>;
  /** Aborted as soon as the seat stops waiting. */
  gone: AbortController;
  settle(reply: Reply<T>): void;
}
