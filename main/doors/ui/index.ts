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
  /** A person did something in a page. */
  touch(): void;
  /** A page is there until what this gives is disposed: it may be asked what a caller waits with. */
  pageJoined(): Disposable;
}

/** A page, as its carrier has it. */
export interface Page {
  send(message: BrokerMessage): void;
  refuse(): void;
  /** By a person, or as it lies in sight. */
  used?(by: 'person' | 'page'): void;
  /** It is told of calls no more often than this; at once unless told otherwise. */
  callsEveryMilliseconds?: number;
  /** The app itself in this process; never what speaks for a window's or a browser's page. */
  isOwn?: true;
}

/** The door of the UI's pages: carriers let a page in and bring its messages. */
export interface UiDoor extends Disposable {
  /** What pages show may have changed; `byCall`: as it does with each call of a program. */
  changed(what?: 'byCall'): void;
  /** A page that its carrier has let in; `refuse` ends the connection of one that says what makes no sense. */
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
