import type { Disposable } from '../../base/disposables.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type BoardAnswer,
  type Elsewhere,
  type Posted,
  type QuestionBoard,
  type QuestionEnd,
  questionGone,
} from './question-board.ts';
import type { Reply, Seat } from './waiter.ts';

export interface FlightDeps<T> {
  clock: Clock;
  board: Pick<QuestionBoard, 'post'>;
  says(value: T): 'yes' | 'no';
  onOver(): void;
}

interface Shown<T> {
  seat: Seat<T>;
  posted: Posted | null;
}

/** One question, for all requests that wait for the same answer: where it is asked now, and who sees it on a page. */
export class QuestionFlight<T> {
  readonly key: string | null;
  readonly seats = new Set<Seat<T>>();
  readonly #deps: FlightDeps<T>;
  /** The seat whose terminal has or waits for the question; aborting withdraws it. */
  asking: { seat: Seat<T>; takenBack: AbortController } | null = null;
  /** Ends a question that only pages show. */
  limit: Disposable | null = null;
  #endsAt: number;
  #atTerminal: Seat<T> | null = null;
  #taken = false;
  /** Resolves when an answer from elsewhere has been carried out, or could not be. */
  answering: Promise<void> = Promise.resolve();
  #isOver = false;
  #shown: Shown<T> | null = null;

  constructor(key: string | null, endsAt: number, deps: FlightDeps<T>) {
    this.key = key;
    this.#endsAt = endsAt;
    this.#deps = deps;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The seat at whose terminal the question is now. */
  get at(): Seat<T> | null {
    return this.#atTerminal;
  }

  /** `endsAt` in milliseconds since 1970. */
  now(atTerminal: Seat<T> | null, endsAt?: number): void {
    this.#atTerminal = atTerminal;
    this.#endsAt = endsAt ?? this.#endsAt;
    this.show();
  }

  /** An answer counts from here on; false: another came before. */
  take(): boolean {
    if (this.#taken || this.#isOver) {
      return false;
    }
    this.#taken = true;
    return true;
  }

  /** Updates the board: another caller's question is a separate one there. */
  show(): void {
    const [first] = this.seats;
    if (this.#isOver || !first) {
      return;
    }
    if (this.#shown?.seat === first) {
      this.#shown.posted?.update(this.#state());
      return;
    }
    this.#shown?.posted?.end({ how: 'gone', where: null });
    const shown: Shown<T> = { seat: first, posted: null };
    this.#shown = shown;
    void first.waiter.about().then(
      (about) => {
        if (!this.#isOver && this.#shown === shown) {
          shown.posted = this.#deps.board.post(about, this.#state(), (answer, where) => {
            const done = this.#answer(first, answer, where);
            this.answering = done.catch(() => undefined);
            return done;
          });
        }
      },
      // What can't be shown there is asked only at the terminal.
      () => undefined,
    );
  }

  /** Gives all waiting requests their reply. `where`: null: no one answered. */
  settleAll(reply: Reply<T>, where: QuestionEnd['where'] = null): void {
    this.#isOver = true;
    this.#deps.onOver();
    this.limit?.dispose();
    this.#shown?.posted?.end({ how: this.#how(reply), where });
    for (const seat of [...this.seats]) {
      seat.settle(reply);
    }
  }

  /** A page's or the window's answer: the first one counts. */
  async #answer(shown: Seat<T>, answer: BoardAnswer, where: Elsewhere): Promise<void> {
    if (!this.take()) {
      throw questionGone();
    }
    try {
      const { value, covers } = await shown.waiter.answered(answer, where);
      const word = this.#deps.says(value);
      const reply: Reply<T> = { kind: 'answered', value, by: shown.waiter };
      const covered = [...this.seats].filter((seat) => covers === 'all' || isOfTerminal(seat, shown));
      this.#tellTerminal(covered, word, where);
      if (covered.length === this.seats.size) {
        this.settleAll(reply, where);
        return;
      }
      this.#shown?.posted?.end({ how: word, where });
      this.#shown = null;
      for (const seat of covered) {
        seat.settle(reply);
      }
    } finally {
      this.#taken = false;
    }
    this.show();
  }

  /** The terminal that shows the question is told where it was answered, and goes on. */
  #tellTerminal(covered: readonly Seat<T>[], word: string, where: Elsewhere): void {
    const { asking } = this;
    if (!asking || !covered.includes(asking.seat)) {
      return;
    }
    asking.takenBack.abort(new Error('answered elsewhere'));
    if (this.#atTerminal === asking.seat) {
      const place = where === 'page' ? 'Lanyard’s page' : 'Lanyard’s window';
      asking.seat.waiter.terminal.print(`Answered in ${place}: ${word}\n`);
    }
  }

  #state() {
    return {
      endsAt: this.#endsAt,
      onTerminal: this.#atTerminal !== null,
      waiting: this.seats.size,
    };
  }

  #how(reply: Reply<T>): QuestionEnd['how'] {
    switch (reply.kind) {
      case 'answered':
        return this.#deps.says(reply.value);
      case 'left':
        return 'no';
      case 'timedOut':
        return 'timedOut';
      case 'nobody':
        return 'gone';
      case 'ended':
        return reply.refusal.reason === 'locked' ? 'locked' : 'gone';
    }
  }
}

/** An unknown terminal equals no other. */
function isOfTerminal<T>(seat: Seat<T>, shown: Seat<T>): boolean {
  return (
    seat === shown || (seat.waiter.terminalId !== null && seat.waiter.terminalId === shown.waiter.terminalId)
  );
}
