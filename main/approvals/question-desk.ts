import { raceAbort } from '../base/abort.ts';
import { toRefusal } from '../contract/broker-error.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Terminal } from '../ports/terminal.ts';
import type { TerminalTurns } from './terminal-turns.ts';

/** How long a person is waited for at one line. The helper itself waits longer. */
export const answerMilliseconds = 120_000;

/** How long a request waits altogether until a question can be put at its terminal, or another's is answered. */
const turnMilliseconds = 600_000;

/** Added to what a helper is told to wait, so that it hears the broker's word first. */
const spareSeconds = 30;

/** Asks for one line at the terminal; null where the person gave none (end of file, an interrupt). */
export type AskLine = (text: string) => Promise<string | null>;

/** One request that waits for a person's word. */
export interface Waiter<T> {
  /** Those with the same key share one question and its answer; null: it is this request's alone. */
  key: string | null;
  /** Which terminal (domain/approval.ts, `terminalOf`); null where that is not known. */
  terminalId: string | null;
  terminal: Terminal;
  /** Somebody may be there to ask. */
  canBeAsked: boolean;
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
  /** Puts the question; null: went without an answer. */
  dialogue(ask: AskLine): Promise<T | null>;
}

export type Reply<T> =
  | { kind: 'answered'; value: T; by: Waiter<T> }
  /** The question was at this request's terminal, and was left without an answer. */
  | { kind: 'left' }
  | { kind: 'nobody' }
  | { kind: 'timedOut' }
  | { kind: 'ended'; refusal: Refusal };

interface Seat<T> {
  waiter: Waiter<T>;
  /** Aborted as soon as the seat waits no more. */
  gone: AbortController;
  settle(reply: Reply<T>): void;
}

interface Flight<T> {
  key: string | null;
  seats: Set<Seat<T>>;
  /** Where it is asked now. */
  at: Seat<T> | null;
}

export interface QuestionDeskDeps {
  clock: Clock;
  turns: TerminalTurns;
}

/**
 * Puts questions to people: one at a time at each terminal, one for all who wait for the same answer. When the one
 * whose terminal shows it goes away, it is put at another waiter's.
 */
export class QuestionDesk<T> {
  readonly #deps: QuestionDeskDeps;
  readonly #flights = new Set<Flight<T>>();

  constructor(deps: QuestionDeskDeps) {
    this.#deps = deps;
  }

  /** Waits for the answer. Rejects with the signal's reason once the caller is gone. */
  ask(waiter: Waiter<T>): Promise<Reply<T>> {
    if (waiter.signal.aborted) {
      return Promise.reject(waiter.signal.reason);
    }
    const running =
      waiter.key === null ? undefined : [...this.#flights].find((each) => each.key === waiter.key);
    if (!running && !waiter.canBeAsked) {
      return Promise.resolve({ kind: 'nobody' });
    }
    const flight = running ?? { key: waiter.key, seats: new Set<Seat<T>>(), at: null };
    const replied = this.#sit(flight, waiter);
    if (!running) {
      this.#flights.add(flight);
      void this.#run(flight);
    } else if (running.at && running.at.waiter.terminalId !== waiter.terminalId) {
      waiter.terminal.print(
        'lanyard: this is being asked on another terminal; the answer there counts here too\n',
      );
    }
    return replied;
  }

  /** Ends every question: all who wait get the refusal. */
  endAll(refusal: Refusal): void {
    for (const flight of [...this.#flights]) {
      this.#settleAll(flight, { kind: 'ended', refusal });
    }
  }

  #sit(flight: Flight<T>, waiter: Waiter<T>): Promise<Reply<T>> {
    waiter.terminal.extend(turnMilliseconds / 1000 + spareSeconds);
    return new Promise((resolve, reject) => {
      const gone = new AbortController();
      const leave = () => {
        flight.seats.delete(seat);
        waiter.signal.removeEventListener('abort', fail);
        limit.dispose();
        gone.abort(new Error('waits no more'));
      };
      const fail = () => {
        leave();
        reject(waiter.signal.reason);
      };
      const seat: Seat<T> = {
        waiter,
        gone,
        settle(reply) {
          leave();
          resolve(reply);
        },
      };
      const limit = this.#deps.clock.after(turnMilliseconds, () => {
        // While it is asked here, the line's own limit counts.
        if (flight.at !== seat) {
          seat.settle({ kind: 'timedOut' });
        }
      });
      waiter.signal.addEventListener('abort', fail, { once: true });
      flight.seats.add(seat);
    });
  }

  async #run(flight: Flight<T>): Promise<void> {
    for (;;) {
      const seat = [...flight.seats].find((each) => each.waiter.canBeAsked);
      if (!seat) {
        this.#settleAll(flight, { kind: 'nobody' });
        return;
      }
      const reply = await this.#askAt(seat, flight).catch(
        (error: unknown): Reply<T> => ({ kind: 'ended', refusal: toRefusal(error) }),
      );
      if (!this.#flights.has(flight)) {
        return;
      }
      if (reply !== null && reply.kind !== 'left') {
        this.#settleAll(flight, reply);
        return;
      }
      // Gone, or went without a word: the others may still be answered.
      seat.settle({ kind: 'left' });
    }
  }

  /** Null where the one to ask is gone, or waits no more. */
  async #askAt(seat: Seat<T>, flight: Flight<T>): Promise<Reply<T> | null> {
    const { waiter, gone } = seat;
    const late = new AbortController();
    const stop = AbortSignal.any([gone.signal, late.signal]);
    let release: (() => void) | null = null;
    try {
      release = await this.#deps.turns.take(waiter.terminalId ?? '', gone.signal);
      flight.at = seat;
      const value = await raceAbort(
        waiter.dialogue((text) => this.#askLine(text, waiter.terminal, stop, late)),
        stop,
      );
      return value === null ? { kind: 'left' } : { kind: 'answered', value, by: waiter };
    } catch (error) {
      if (gone.signal.aborted) {
        return null;
      }
      if (late.signal.aborted) {
        return { kind: 'timedOut' };
      }
      throw error;
    } finally {
      flight.at = null;
      release?.();
    }
  }

  async #askLine(
    text: string,
    terminal: Terminal,
    stop: AbortSignal,
    late: AbortController,
  ): Promise<string | null> {
    // What was asked before may have run out meanwhile.
    stop.throwIfAborted();
    terminal.extend(answerMilliseconds / 1000 + spareSeconds);
    const limit = this.#deps.clock.after(answerMilliseconds, () => late.abort(new Error('nobody answered')));
    try {
      const answer = await terminal.ask(text, { echo: true });
      // An answer that comes too late is none.
      stop.throwIfAborted();
      return answer?.reveal() ?? null;
    } finally {
      limit.dispose();
    }
  }

  #settleAll(flight: Flight<T>, reply: Reply<T>): void {
    this.#flights.delete(flight);
    for (const seat of [...flight.seats]) {
      seat.settle(reply);
    }
  }
}
