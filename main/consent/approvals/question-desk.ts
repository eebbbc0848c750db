import { raceAbort } from '../../base/abort.ts';
import { toRefusal } from '../../contract/broker-error.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { QuestionBoard } from './question-board.ts';
import { QuestionFlight } from './question-flight.ts';
import type { TerminalTurns } from './terminal-turns.ts';
import type { Reply, Seat, Waiter } from './waiter.ts';

/** How long to wait for the user at one line, and at a page. The helper itself waits longer. */
export const answerMilliseconds = 120_000;

/** How long a request waits in total until a question can be asked at its terminal, or another's is answered. */
const turnMilliseconds = 600_000;

/** Added to the wait that a helper is told, so that it gets the broker's answer first. */
const spareSeconds = 30;

export interface QuestionDeskDeps<T> {
  clock: Clock;
  turns: TerminalTurns;
  board: QuestionBoard;
  says(value: T): 'yes' | 'no';
}

/**
 * Asks the user questions: one at a time at each terminal, one for all requests that wait for the same answer, and
 * each in the pages at the same time. When the request whose terminal shows it goes away, it moves to another one's.
 * Where no terminal can be asked it waits for the pages, while there are any.
 */
export class QuestionDesk<T> {
  readonly #deps: QuestionDeskDeps<T>;
  readonly #flights = new Set<QuestionFlight<T>>();

  constructor(deps: QuestionDeskDeps<T>) {
    this.#deps = deps;
    deps.board.onPagesGone(() => {
      for (const flight of [...this.#flights]) {
        this.#next(flight);
      }
    });
  }

  /** Waits for the answer. Rejects with the signal's reason once the caller has gone. */
  ask(waiter: Waiter<T>): Promise<Reply<T>> {
    if (waiter.signal.aborted) {
      return Promise.reject(waiter.signal.reason);
    }
    const running =
      waiter.key === null ? undefined : [...this.#flights].find((each) => each.key === waiter.key);
    if (!running && !waiter.canBeAsked && !this.#deps.board.isWatched) {
      return Promise.resolve({ kind: 'nobody' });
    }
    const flight = running ?? this.#begin(waiter.key);
    const isKnownThere = [...flight.seats].some((seat) => seat.waiter.terminalId === waiter.terminalId);
    const replied = this.#sit(flight, waiter);
    const isAskable = [...flight.seats].some((seat) => seat.waiter.canBeAsked);
    if (flight.at && flight.at.waiter.terminalId !== waiter.terminalId) {
      waiter.terminal.print(
        'lanyard: approval already requested in another terminal; the answer applies here too\n',
      );
    } else if (!isAskable && !isKnownThere) {
      waiter.terminal.print('lanyard: approval requested in Lanyard’s page\n');
    }
    this.#next(flight);
    return replied;
  }

  /** Ends every question: all waiting requests get the refusal. */
  endAll(refusal: Refusal): void {
    for (const flight of [...this.#flights]) {
      this.#settleAll(flight, { kind: 'ended', refusal });
    }
  }

  #begin(key: string | null): QuestionFlight<T> {
    const flight: QuestionFlight<T> = new QuestionFlight(key, this.#deps.clock.now() + turnMilliseconds, {
      ...this.#deps,
      onOver: () => this.#flights.delete(flight),
    });
    this.#flights.add(flight);
    return flight;
  }

  #sit(flight: QuestionFlight<T>, waiter: Waiter<T>): Promise<Reply<T>> {
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
        this.#next(flight);
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
        // While it is asked here, the line's own limit applies.
        if (flight.at !== seat) {
          seat.settle({ kind: 'timedOut' });
          this.#next(flight);
        }
      });
      waiter.signal.addEventListener('abort', fail, { once: true });
      flight.seats.add(seat);
    });
  }

  /** Checks where the question can be asked now: at a terminal; else only in the pages. */
  #next(flight: QuestionFlight<T>): void {
    if (flight.isOver) {
      return;
    }
    flight.show();
    if (flight.asking) {
      return;
    }
    const seat = [...flight.seats].find((each) => each.waiter.canBeAsked);
    if (seat) {
      void this.#askAt(seat, flight);
    } else if (flight.seats.size === 0 || !this.#deps.board.isWatched) {
      this.#settleAll(flight, { kind: 'nobody' });
    } else if (!flight.limit) {
      flight.limit = this.#deps.clock.after(answerMilliseconds, () => {
        flight.limit = null;
        if (!flight.asking && flight.take()) {
          this.#settleAll(flight, { kind: 'timedOut' });
        }
      });
      flight.now(null, this.#deps.clock.now() + answerMilliseconds);
    }
  }

  async #askAt(seat: Seat<T>, flight: QuestionFlight<T>): Promise<void> {
    const takenBack = new AbortController();
    flight.asking = { seat, takenBack };
    const reply = await this.#dialogue(seat, flight, takenBack.signal).catch(
      (error: unknown): Reply<T> => ({ kind: 'ended', refusal: toRefusal(error) }),
    );
    flight.asking = null;
    if (flight.isOver) {
      return;
    }
    if (reply !== null && reply.kind !== 'left') {
      this.#settleAll(flight, reply);
      return;
    }
    if (reply !== null && flight.seats.size === 1 && flight.seats.has(seat)) {
      this.#settleAll(flight, reply);
      return;
    }
    // Gone, or left without an answer: the others may still be answered.
    if (reply !== null) {
      seat.settle(reply);
    }
    this.#next(flight);
  }

  /** Null: the request has gone, waits no more, or was answered elsewhere. */
  async #dialogue(
    { waiter, gone }: Seat<T>,
    flight: QuestionFlight<T>,
    takenBack: AbortSignal,
  ): Promise<Reply<T> | null> {
    const late = new AbortController();
    const overtaken = new Error('another answer came first');
    const over = AbortSignal.any([gone.signal, takenBack]);
    const stop = AbortSignal.any([over, late.signal]);
    let release: (() => void) | null = null;
    try {
      release = await this.#deps.turns.take(waiter.terminalId ?? '', over);
      flight.now(flight.asking?.seat ?? null);
      const ask = (text: string) => this.#askLine(text, waiter, flight, { stop, takenBack, late });
      const take = () => {
        if (!flight.take()) {
          throw overtaken;
        }
      };
      const value = await raceAbort(waiter.dialogue(ask, take), stop);
      return value === null ? { kind: 'left' } : { kind: 'answered', value, by: waiter };
    } catch (error) {
      if (error === overtaken) {
        await flight.answering;
      }
      if (over.aborted || error === overtaken) {
        return null;
      }
      if (late.signal.aborted) {
        return { kind: 'timedOut' };
      }
      throw error;
    } finally {
      flight.now(null);
      release?.();
    }
  }

  async #askLine(
    text: string,
    { terminal }: Waiter<T>,
    flight: QuestionFlight<T>,
    { stop, takenBack, late }: { stop: AbortSignal; takenBack: AbortSignal; late: AbortController },
  ): Promise<string | null> {
    // The time of earlier questions may have run out meanwhile.
    stop.throwIfAborted();
    terminal.extend(answerMilliseconds / 1000 + spareSeconds);
    flight.now(flight.at, this.#deps.clock.now() + answerMilliseconds);
    const limit = this.#deps.clock.after(answerMilliseconds, () => {
      // An answer that a page has just given is on its way.
      if (flight.take()) {
        late.abort(new Error('no answer in time'));
      }
    });
    try {
      const answer = await terminal.ask(text, { echo: true, signal: takenBack });
      // A late answer doesn't count.
      stop.throwIfAborted();
      return answer?.reveal() ?? null;
    } finally {
      limit.dispose();
    }
  }

  #settleAll(flight: QuestionFlight<T>, reply: Reply<T>): void {
    const isSaid = reply.kind === 'answered' || reply.kind === 'left';
    flight.settleAll(reply, isSaid ? 'terminal' : null);
  }
}
