import type { Disposable } from '../../base/disposables.ts';
import type { BrokerMessage } from '../../contract/ui/messages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { UiHandlers } from './handlers.ts';
import { createUiSession, type UiSession } from './session.ts';
import { createStateFeed, type StateSources } from './state-feed.ts';

export interface UiDoorDeps {
  clock: Clock;
  log: Log;
  sources: StateSources;
  handlers: UiHandlers;
  /** Called when the user does something in a page. */
  touch(): void;
  /** Called when a page joins; dispose the result when it leaves. Meanwhile, pages may show callers’ questions. */
  pageJoined(): Disposable;
}

/** A page, from its carrier’s side. */
export interface Page {
  send(message: BrokerMessage): void;
  refuse(): void;
  /** Called when the user uses the page, or it is merely visible. */
  used?(by: 'person' | 'page'): void;
  /** How often calls of programs may update the page at most; 0 by default. */
  callsEveryMilliseconds?: number;
  /** The app itself in this process. Never set for the page of a window or a browser. */
  isOwn?: true;
}

/** The door of the UI: carriers let pages in and bring their messages. */
export interface UiDoor extends Disposable {
  /** What pages show may have changed. `byCall`: because of a program’s call. */
  changed(what?: 'byCall'): void;
  /** Connects a page that its carrier has let in. `refuse` ends the connection of one that sends invalid messages. */
  connect(page: Page): UiSession;
}

export function createUiDoor({ clock, log, sources, handlers, touch, pageJoined }: UiDoorDeps): UiDoor {
  const feed = createStateFeed({ clock, log, sources });
  return {
    changed: (what) => feed.changed(what),
    connect({ send, refuse, used, callsEveryMilliseconds, isOwn }) {
      const session = createUiSession({
        feed,
        log,
        handlers,
        used(by) {
          used?.(by);
          if (by === 'person') {
            touch();
          }
        },
        send,
        refuse,
        callsEveryMilliseconds,
        isOwn,
      });
      const presence = pageJoined();
      return {
        receive: (text) => session.receive(text),
        dispose() {
          presence.dispose();
          session.dispose();
        },
      };
    },
    dispose: () => feed.dispose(),
  };
}
