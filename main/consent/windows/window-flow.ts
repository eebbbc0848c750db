import { randomBytes } from 'node:crypto';
import { Secret } from '../../base/secret.ts';
import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { sentence } from '../../contract/ui/sentence.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { type UserGate, userCheckFault } from './user-gate.ts';
import type { Fields, Submitted, WindowContent, WindowKind } from './window-kind.ts';
import { endPage, formPage } from './window-page.ts';
import { bodyLimitBytes, isSame, TooLarge } from './window-request.ts';

/** The longest time that a window is open. */
export const windowMilliseconds = 5 * 60 * 1000;
/** An earlier Yes was meant for what was there before: a page chooses when a window opens, and under which pointer. */
export const readingMilliseconds = 1_000;

/** What a window's host sends: a complete page. 204 has none: the window stays as it is, with all that was typed. */
export interface WindowReply {
  status: number;
  html: string;
}

/** The outcome of a window. */
export interface WindowEnd {
  kind: 'good' | 'bad' | 'wait';
  heading: string;
  text: readonly string[];
  /** The user answered in it; else something else ended it. */
  isAnswered: boolean;
}

/** One window's question and its single answer, however it is shown. */
export interface WindowFlow {
  readonly title: string;
  readonly content: WindowContent;
  readonly openedAt: number;
  /** One-time secret: begins with a slash; the form is sent there. */
  readonly path: Secret;
  /** Resolves when the user sees it, or can't see it any more. */
  readonly reached: Promise<void>;
  /** Resolves when it takes no more answers. */
  readonly over: Promise<WindowEnd>;
  /** Null: it is open. */
  end(): WindowEnd | null;
  /** The form, once; else why there is none. */
  show(): WindowReply;
  /** It becomes visible only now: the time to read it starts again. */
  seen(): void;
  /** Null: what was sent is none of our forms. */
  answer(sent: Fields | TooLarge | null): Promise<WindowReply>;
  /** Takes no more answers; a late answer is told why. Waits for an answer that is being carried out. */
  close(heading: string, text: string): void;
  /** The user left without an answer, or the broker ends. */
  leave(heading: string): void;
}

export interface WindowFlowDeps {
  clock: Clock;
  log: Log;
  person: UserGate;
}

/** A window that is open from now on (rule: approval-outside-page). */
export function createWindowFlow(kind: WindowKind, { clock, log, person }: WindowFlowDeps): WindowFlow {
  const path = new Secret(`/${randomBytes(32).toString('base64url')}`);
  const openedAt = clock.now();
  const until = `Expires at ${clockText(openedAt + windowMilliseconds)}`;
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: over, resolve: tellOver } = Promise.withResolvers<WindowEnd>();
  const yesAnswers = new Set(['yes', ...(kind.content.more?.answers ?? []).map(({ answer }) => answer)]);
  let token: string | null = null;
  let shownAt = 0;
  let isShown = false;
  /** An answer is being carried out: it ends the window itself, whatever it changes. */
  let isBusy = false;
  let end: WindowEnd | null = null;

  const timer = clock.after(windowMilliseconds, () =>
    finish({
      kind: 'wait',
      heading: 'Timed out',
      text: ['Five minutes have passed: nothing was changed.'],
      isAnswered: false,
    }),
  );

  function finish(how: WindowEnd): void {
    if (end) {
      return;
    }
    end = how;
    token = null;
    timer.dispose();
    reach();
    tellOver(how);
  }

  function form(fault: string | null): WindowReply {
    token = randomBytes(32).toString('base64url');
    shownAt = clock.boottime();
    return { status: 200, html: page(token, fault) };
  }

  function page(sentWith: string, fault: string | null): string {
    return formPage(kind.content, { path: path.reveal(), token: sentWith, until, fault });
  }

  /** Nothing of it was taken, so its form can still be sent. */
  function tooLongText(): string {
    const { tooLarge } = kind.content;
    const limit = `Too long: a form takes at most ${bodyLimitBytes / 1024} KB. Nothing was changed.`;
    return tooLarge === undefined ? limit : `${limit} ${tooLarge}`;
  }

  async function answer(sent: Fields | TooLarge | null): Promise<WindowReply> {
    if (end) {
      return endReply(410, end);
    }
    const given = (sent instanceof TooLarge ? sent.token : sent?.['token'])?.reveal() ?? '';
    if (!sent || token === null || !isSame(given, token)) {
      const text = ['It was sent before, or isn’t the form that Lanyard shows. Nothing was changed.'];
      return {
        status: sent && !(sent instanceof TooLarge) ? 403 : 413,
        html: endPage('bad', 'Request rejected', text),
      };
    }
    if (sent instanceof TooLarge) {
      return { status: 200, html: page(token, tooLongText()) };
    }
    const fields = sent;
    const said = fields['answer']?.reveal() ?? '';
    const isYes = yesAnswers.has(said);
    // Typing takes time anyway.
    const isTyped = kind.content.enter === 'yes' && said === 'yes';
    if (isYes && !isTyped && clock.boottime() - shownAt < readingMilliseconds) {
      return { status: 204, html: '' };
    }
    // Each form can be sent once, whatever the result.
    token = null;
    isBusy = true;
    const outcome = await (isYes ? accept(fields, said) : kind.refuse()).catch(failed);
    isBusy = false;
    if (outcome.kind === 'again' && !end) {
      return form(outcome.fault);
    }
    const last: WindowEnd =
      outcome.kind === 'again'
        ? (end ?? { kind: 'bad', heading: 'Nothing was changed', text: [], isAnswered: true })
        : {
            kind: outcome.good ? 'good' : isYes ? 'bad' : 'wait',
            heading: outcome.heading,
            text: outcome.text,
            isAnswered: true,
          };
    finish(last);
    return endReply(200, last);
  }

  async function accept(fields: Fields, word: string): Promise<Submitted> {
    const before = await whyOver();
    if (before) {
      return before;
    }
    if (kind.person) {
      const said = await person.ask(kind.person.for, kind.person.reason);
      const fault = userCheckFault(kind.person.for, said);
      if (fault !== null) {
        return { kind: 'again', fault };
      }
      // A finger takes its time.
      const meanwhile = await whyOver();
      if (meanwhile) {
        return meanwhile;
      }
    }
    return kind.submit(fields, word);
  }

  async function whyOver(): Promise<Submitted | null> {
    const why = await kind.over();
    return why === null && !end
      ? null
      : { kind: 'done', good: false, heading: 'Nothing was changed', text: [why ?? 'Timed out.'] };
  }

  function failed(error: unknown): Submitted {
    if (!(error instanceof BrokerError)) {
      log.error('window.failed', { window: kind.title, error });
    }
    const { message, hint } = toRefusal(error);
    const text = [sentence(message), ...(hint === undefined ? [] : [sentence(hint)])];
    return { kind: 'done', good: false, heading: 'That didn’t work', text };
  }

  return {
    title: kind.title,
    content: kind.content,
    openedAt,
    path,
    reached,
    over,
    end: () => end,
    /** Once: an address from a browser's history, or read on its way, opens nothing. */
    show() {
      if (end) {
        return endReply(410, end);
      }
      if (isShown) {
        const text = ['This window can be opened only once. Request it again.'];
        return { status: 410, html: endPage('bad', 'This window was opened before', text) };
      }
      isShown = true;
      reach();
      return form(null);
    },
    seen() {
      shownAt = clock.boottime();
    },
    answer,
    close(heading, text) {
      if (!isBusy) {
        finish({ kind: 'wait', heading, text: [text], isAnswered: false });
      }
    },
    leave(heading) {
      finish({ kind: 'wait', heading, text: ['Nothing was changed.'], isAnswered: false });
    },
  };
}

function endReply(status: number, { kind, heading, text }: WindowEnd): WindowReply {
  return { status, html: endPage(kind, heading, text) };
}
