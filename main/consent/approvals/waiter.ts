import type { Refusal } from '../../contract/refusal.ts';
import type { Terminal } from '../../ports/terminal.ts';
import type { BoardAnswer, Elsewhere, QuestionAbout } from './question-board.ts';

/** Asks for one line at the terminal; null where the person gave none (end of file, an interrupt). */
export type AskLine = (text: string) => Promise<string | null>;

/** What a person said elsewhere than at the terminal. */
export interface Said<T> {
  value: T;
  /** All who wait for this answer, or those at the terminal of the one that was shown. */
  covers: 'all' | 'terminal';
}

/** One request that waits for a person's word. */
export interface Waiter<T> {
  /** Those with the same key share one question and its answer; null: it is this request's alone. */
  key: string | null;
  /** Which terminal (domain/approval/approval.ts, `sessionKey`); null where that is not known. */
  terminalId: string | null;
  terminal: Terminal;
  /** Somebody may be there to ask. */
  canBeAsked: boolean;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
  /**
   * Puts the question at the terminal; null: went without an answer. `take` makes an answer count, before anything is done
   * for it: it throws where one from elsewhere came first.
   */
  dialogue(ask: AskLine, take: () => void): Promise<T | null>;
  /** What pages show of it. */
  about(): Promise<QuestionAbout>;
  /** Does what an answer from elsewhere says. Throws BrokerError where it can't be done: the question stays open. */
  answered(answer: BoardAnswer, where: Elsewhere): Promise<Said<T>>;
}

export type Reply<T> =
  | { kind: 'answered'; value: T; by: Waiter<T> }
  /** The question was at this request's terminal, and was left without an answer. */
  | { kind: 'left' }
  | { kind: 'nobody' }
  | { kind: 'timedOut' }
  | { kind: 'ended'; refusal: Refusal };

/** A request in its place in the row, until it is settled or its caller is gone. */
export interface Seat<T> {
  waiter: Waiter<T>;
  /** Aborted as soon as the seat waits no more. */
  gone: AbortController;
  settle(reply: Reply<T>): void;
}
