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
}

/** The door of the UI's pages: carriers let a page in and bring its messages. */
export interface UiDoor extends Disposable {
  /** What pages show may have changed. */
  changed(): void;
  /** A page that its carrier has let in; `refuse` ends the connection of one that says what makes no sense. */
  connect(page: { send(message: BrokerMessage): void; refuse(): void }): UiSession;
}

export function createUiDoor({ clock, log, sources, handlers, touch }: UiDoorDeps): UiDoor {
  const feed = createStateFeed({ clock, log, sources });
  return {
    changed: () => feed.changed(),
    connect: ({ send, refuse }) => createUiSession({ feed, log, handlers, touch, send, refuse }),
    dispose: () => feed.dispose(),
  };
}
