import { raceAbort } from '../base/abort.ts';
import type { LoggedIn, LoginPrompter, LoginWish } from '../ports/account.ts';

/** A requester of a login, who may see its code. */
export interface LoginViewer {
  prompter: LoginPrompter;
  /** How they want to log in; where several join one login, the first one's flow applies. */
  wish: LoginWish;
  /** Aborts when the viewer has gone. */
  signal: AbortSignal;
}

/** How its user logs in. */
export type LoginFlow = 'browser' | 'device' | 'pin';

/** What was shown last, for viewers who join later. */
type Shown = (prompter: LoginPrompter) => void;

/**
 * One login under way (rule: single-flight). Each requester sees its code, even those who come later; when the last
 * one has gone it is cancelled. Others only wait for its result.
 */
export class LoginFlight {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly #onShown: () => void;
  readonly #viewers = new Set<LoginViewer>();
  readonly #cancel = new AbortController();
  readonly #done: Promise<LoggedIn>;
  #shown: Shown | null = null;
  #flow: LoginFlow | null = null;

  constructor(
    start: (prompter: LoginPrompter, signal: AbortSignal) => Promise<LoggedIn>,
    first: LoginViewer,
    { startedAt, onShown }: { startedAt: number; onShown(): void },
  ) {
    this.startedAt = startedAt;
    this.#onShown = onShown;
    this.#addViewer(first);
    this.#done = start(
      {
        showDeviceCode: (code) => this.#show('device', (prompter) => prompter.showDeviceCode(code)),
        showBrowserPage: (page) => this.#show('browser', (prompter) => prompter.showBrowserPage(page)),
        ...(first.prompter.askPin && {
          askPin: (asked) => this.#show('pin', (prompter) => prompter.askPin?.(asked)),
        }),
      },
      this.#cancel.signal,
    );
    this.#done.catch(() => undefined);
  }

  /** The login's result, for anyone who waits. */
  get done(): Promise<LoggedIn> {
    return this.#done;
  }

  /** What the user was shown last; null: nothing yet. */
  get flow(): LoginFlow | null {
    return this.#flow;
  }

  /** Waits as a requester of the login. */
  watch(viewer: LoginViewer): Promise<LoggedIn> {
    const isNew = this.#addViewer(viewer);
    if (isNew) {
      this.#shown?.(viewer.prompter);
    }
    return raceAbort(this.#done, viewer.signal);
  }

  /** It was ended from here, not by the user or the provider. */
  get isCancelled(): boolean {
    return this.#cancel.signal.aborted;
  }

  cancel(reason: Error): void {
    this.#cancel.abort(reason);
  }

  #show(flow: LoginFlow, shown: Shown): void {
    this.#flow = flow;
    this.#shown = shown;
    this.#onShown();
    for (const viewer of this.#viewers) {
      shown(viewer.prompter);
    }
  }

  /** False: this viewer sees the login already. */
  #addViewer(viewer: LoginViewer): boolean {
    if (this.#viewers.has(viewer)) {
      return false;
    }
    this.#viewers.add(viewer);
    const leave = () => {
      this.#viewers.delete(viewer);
      if (this.#viewers.size === 0) {
        this.#cancel.abort(new Error('no caller waits for this login any more'));
      }
    };
    if (viewer.signal.aborted) {
      leave();
    } else {
      viewer.signal.addEventListener('abort', leave, { once: true });
    }
    return true;
  }
}
