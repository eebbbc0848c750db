import { randomUUID } from 'node:crypto';
import type { Disposable } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { PageYes, QuestionView } from '../../contract/ui/state.ts';
import type { Clock } from '../../ports/clock.ts';

/** A page that reloads, or whose connection broke for a moment, still counts as open. */
const graceMilliseconds = 10_000;
/** How long pages may show how a question ended. */
const endedMilliseconds = 8_000;
const endedLimit = 32;

/** What a question is about: constant while it is open. */
export type QuestionAbout = Omit<
  QuestionView,
  'id' | 'askedAt' | 'endsAt' | 'onTerminal' | 'waiting' | 'ended'
>;
export type QuestionNow = Pick<QuestionView, 'endsAt' | 'onTerminal' | 'waiting'>;
export type QuestionEnd = NonNullable<QuestionView['ended']>;
/** Where the user's answer came from, other than the terminal. */
export type Elsewhere = 'page' | 'window';
/** `name`: the name for an unknown server; only the broker's own window takes that answer. */
export type BoardAnswer = 'no' | PageYes | { name: string };

/** A question as the board lists it. */
export interface Posted {
  readonly id: string;
  update(now: QuestionNow): void;
  end(ended: QuestionEnd): void;
}

interface Entry {
  view: QuestionView;
  take(answer: BoardAnswer, where: Elsewhere): Promise<void>;
}

/** The questions that wait for the user, for all that can show them besides terminals: pages, and a window. */
export class QuestionBoard implements Disposable {
  readonly #clock: Clock;
  readonly #yesInWindow: boolean;
  readonly #open = new Map<string, Entry>();
  readonly #ended = new Map<string, QuestionView>();
  readonly #changed = createListeners();
  readonly #left = createListeners();
  readonly #timers = new Set<Disposable>();
  #pages = 0;
  #grace: Disposable | null = null;

  /** `yesInWindow`: every Yes is given in a window of the broker's own, and in no page. */
  constructor(clock: Clock, { yesInWindow = false }: { yesInWindow?: boolean } = {}) {
    this.#clock = clock;
    this.#yesInWindow = yesInWindow;
  }

  /** A page is connected, or was a moment ago: the user may answer there. */
  get isWatched(): boolean {
    return this.#pages > 0 || this.#grace !== null;
  }

  /** A page is open until this is disposed. */
  pageJoined(): Disposable {
    this.#pages++;
    this.#grace?.dispose();
    this.#grace = null;
    let left = false;
    return {
      dispose: () => {
        if (left) {
          return;
        }
        left = true;
        this.#pages--;
        if (this.#pages === 0) {
          this.#grace = this.#clock.after(graceMilliseconds, () => {
            this.#grace = null;
            this.#left.tell();
          });
        }
      },
    };
  }

  /** Called when no page has been open for a while. */
  onPagesGone(listener: () => void): Disposable {
    return this.#left.add(listener);
  }

  /** Called whenever the result of `views` has changed. */
  onChange(listener: () => void): Disposable {
    return this.#changed.add(listener);
  }

  views(): Record<string, QuestionView> {
    const entries = [...this.#open].map(([id, { view }]) => [id, view] as const);
    return Object.fromEntries([...entries, ...this.#ended]);
  }

  /** An open question; null: none (any more). */
  find(id: string): QuestionView | null {
    return this.#open.get(id)?.view ?? null;
  }

  /** `take` is called with an answer that the question allows; it throws if another came before. */
  post(about: QuestionAbout, now: QuestionNow, take: Entry['take']): Posted {
    const id = randomUUID();
    const inWindow = about.inWindow || this.#yesInWindow;
    const view = { ...about, ...now, inWindow, id, askedAt: this.#clock.now(), ended: null };
    this.#open.set(id, { view, take });
    this.#changed.tell();
    return {
      id,
      update: (changed) => {
        const entry = this.#open.get(id);
        if (entry && !isSame(entry.view, changed)) {
          entry.view = { ...entry.view, ...changed };
          this.#changed.tell();
        }
      },
      end: (ended) => this.#end(id, ended),
    };
  }

  /** Throws BrokerError: `question.gone`, `question.answer` (that answer isn't allowed there). */
  async answer(id: string, answer: BoardAnswer, where: Elsewhere): Promise<void> {
    const entry = this.#open.get(id);
    if (!entry) {
      throw questionGone();
    }
    if (!isAllowed(entry.view, answer, where)) {
      throw new BrokerError('question.answer', 'this question can’t be answered so', { reason: 'usage' });
    }
    await entry.take(answer, where);
  }

  #end(id: string, ended: QuestionEnd): void {
    const entry = this.#open.get(id);
    if (!entry) {
      return;
    }
    this.#open.delete(id);
    this.#ended.set(id, { ...entry.view, ended });
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > endedLimit && oldest !== undefined) {
      this.#ended.delete(oldest);
    }
    const timer = this.#clock.after(endedMilliseconds, () => {
      this.#timers.delete(timer);
      if (this.#ended.delete(id)) {
        this.#changed.tell();
      }
    });
    this.#timers.add(timer);
    this.#changed.tell();
  }

  dispose(): void {
    this.#grace?.dispose();
    for (const timer of this.#timers) {
      timer.dispose();
    }
  }
}

/** The question was answered elsewhere, or no one waits for it any more. */
export function questionGone(): BrokerError {
  return new BrokerError('question.gone', 'this question is over: nothing was answered here', {
    reason: 'notFound',
    hint: 'where it was answered is shown for a moment; the caller may ask again',
  });
}

/**
 * A name writes config.yaml, which a page can't (rule: approval-outside-page). Where a Yes is given in a window, no
 * page may give it.
 */
function isAllowed(
  { kind, answers, inWindow }: QuestionView,
  answer: BoardAnswer,
  where: Elsewhere,
): boolean {
  if (answer === 'no') {
    return true;
  }
  if (inWindow && where === 'page') {
    return false;
  }
  return typeof answer === 'object'
    ? where === 'window' && kind === 'unknownServer'
    : answers.includes(answer);
}

function isSame(view: QuestionView, now: QuestionNow): boolean {
  return view.endsAt === now.endsAt && view.onTerminal === now.onTerminal && view.waiting === now.waiting;
}
