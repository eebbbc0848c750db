import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Disposable } from '../base/disposables.ts';
import { Secret } from '../base/secret.ts';
import { BrokerError, toRefusal } from '../contract/broker-error.ts';
import { localTime } from '../domain/local-time.ts';
import type { PeerUser } from '../network/peer-user.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Submitted, WindowKind } from './window-kind.ts';
import { endPage, formPage, windowHeaders } from './window-page.ts';
import { isSame, judgeWindowRequest, readFields } from './window-request.ts';
import { openWindowServer } from './window-server.ts';

/** A window is open so long at most. */
export const windowMilliseconds = 5 * 60 * 1000;
/** How long one that is over still says so to whoever answers in it. */
const lingerMilliseconds = 60_000;
/** A Yes that comes sooner was meant for what lay there before: a page chooses when a window opens, under which pointer. */
export const readingMilliseconds = 1_000;

export interface OpenWindowDeps {
  clock: Clock;
  log: Log;
  /** It can't be answered any more. */
  onOver(): void;
  /** Nothing listens any more. */
  onClosed(): void;
  lookUpUser?: (socket: Socket) => Promise<PeerUser>;
}

/** A window of the broker's own, open for one thing. */
export interface OpenWindow extends Disposable {
  readonly kind: WindowKind;
  /** Holds the one-time secret: for the redirect file alone. */
  readonly address: Secret;
  readonly openedAt: number;
  /** Resolves when the browser has come, or can't come any more. */
  readonly reached: Promise<void>;
  /** Nothing is taken from here on; who answers is told why. */
  close(heading: string, text: string): void;
}

interface End {
  kind: 'good' | 'bad' | 'wait';
  heading: string;
  text: readonly string[];
}

export async function openWindow(kind: WindowKind, deps: OpenWindowDeps): Promise<OpenWindow> {
  const { clock, log } = deps;
  const path = new Secret(`/${randomBytes(32).toString('base64url')}`);
  const openedAt = clock.now();
  const until = `Open until ${localTime(openedAt + windowMilliseconds).slice(11, 16)}`;
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  let token: string | null = null;
  let shownAt = 0;
  let isShown = false;
  /** An answer is being done: it ends the window itself, whatever it changes. */
  let isBusy = false;
  let end: End | null = null;

  const server = await openWindowServer(handle, deps.lookUpUser);
  let timer = clock.after(windowMilliseconds, () =>
    finish({
      kind: 'wait',
      heading: 'The time is over',
      text: ['Five minutes have passed: nothing was changed.'],
    }),
  );

  function stop(): void {
    timer.dispose();
    server.dispose();
    deps.onClosed();
  }

  function finish(how: End): void {
    if (end) {
      return;
    }
    end = how;
    token = null;
    reach();
    timer.dispose();
    timer = clock.after(lingerMilliseconds, stop);
    deps.onOver();
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: target = '', headers } = request;
    const judged = judgeWindowRequest({ method, target, headers }, { host: server.host, path });
    if (judged.kind === 'refused') {
      log.warn('window.refused', { status: judged.status });
      send(
        response,
        judged.status,
        endPage('bad', 'Nothing is here', ['This is not the window that Lanyard opened.']),
      );
    } else if (end) {
      send(response, 410, endPage(end.kind, end.heading, end.text));
    } else if (judged.kind === 'show') {
      show(response);
    } else {
      await answer(request, response);
    }
  }

  /** Once: what is in the browser's history, or was read on its way, opens nothing. */
  function show(response: ServerResponse): void {
    if (isShown) {
      const text = ['Each window is shown once. Ask for it again where you asked for it.'];
      send(response, 410, endPage('bad', 'This window was opened before', text));
      return;
    }
    isShown = true;
    reach();
    sendForm(response, null);
  }

  function sendForm(response: ServerResponse, fault: string | null): void {
    token = randomBytes(32).toString('base64url');
    shownAt = clock.boottime();
    send(response, 200, formPage(kind.content, { path: path.reveal(), token, until, fault }));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = await readFields(request);
    const given = fields?.['token']?.reveal() ?? '';
    const wanted = token;
    if (!fields || end || wanted === null || !isSame(given, wanted)) {
      const text = ['It was sent before, or is not the one that Lanyard shows. Nothing was changed.'];
      send(response, fields ? 403 : 413, endPage('bad', 'This form is not taken', text));
      return;
    }
    // Each form is good for one sending, whatever comes of it.
    token = null;
    const isYes = fields['answer']?.reveal() === 'yes';
    // What is typed first takes its time by itself.
    if (isYes && kind.content.enter !== 'yes' && clock.boottime() - shownAt < readingMilliseconds) {
      sendForm(response, 'That came sooner than anybody reads. Nothing was changed: look once more.');
      return;
    }
    isBusy = true;
    const outcome = await (isYes ? accept(fields) : kind.refuse()).catch(failed);
    isBusy = false;
    if (outcome.kind === 'again' && !end) {
      sendForm(response, outcome.fault);
      return;
    }
    const last: End =
      outcome.kind === 'again'
        ? (end ?? { kind: 'bad', heading: 'Nothing was changed', text: [] })
        : {
            kind: outcome.good ? 'good' : isYes ? 'bad' : 'wait',
            heading: outcome.heading,
            text: outcome.text,
          };
    finish(last);
    send(response, 200, endPage(last.kind, last.heading, last.text));
  }

  async function accept(fields: Parameters<WindowKind['submit']>[0]): Promise<Submitted> {
    const over = await kind.over();
    if (over !== null || end) {
      return {
        kind: 'done',
        good: false,
        heading: 'Nothing was changed',
        text: [over ?? 'The time is over.'],
      };
    }
    return kind.submit(fields);
  }

  function failed(error: unknown): Submitted {
    if (!(error instanceof BrokerError)) {
      log.error('window.failed', { window: kind.title, error });
    }
    const { message, hint } = toRefusal(error);
    const text = [sentence(message), ...(hint === undefined ? [] : [sentence(hint)])];
    return { kind: 'done', good: false, heading: 'It did not work', text };
  }

  return {
    kind,
    address: new Secret(`http://${server.host}${path.reveal()}`),
    openedAt,
    reached,
    close(heading, text) {
      if (!isBusy) {
        finish({ kind: 'wait', heading, text: [text] });
      }
    },
    dispose() {
      finish({ kind: 'wait', heading: 'Lanyard has ended', text: ['Nothing was changed.'] });
      stop();
    },
  };
}

/** Refusals are written for the middle of a line. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { ...windowHeaders });
  response.end(html);
}
