import type { BrokerMessage, PageMessage } from '../../main/contract/ui/messages.ts';

/** How the page and its broker are connected now. */
export type Connection =
  | { kind: 'connecting' }
  | { kind: 'open' }
  /** The broker is gone for now: the carrier reconnects automatically. */
  | { kind: 'gone'; since: number }
  /** This page is not let in (any more): only `lanyard ui` helps. `why`: in words. */
  | { kind: 'refused'; why: string };

/** What brings messages to the broker and back: a WebSocket, or Electron's IPC. The one place that knows which. */
export interface Carrier {
  /** Begins; called once. What arrives has been parsed. */
  start(listener: {
    onMessage(message: BrokerMessage): void;
    onConnection(connection: Connection): void;
  }): void;
  /** Lost without a connection: `onConnection` tells those who wait for an answer. */
  send(message: PageMessage): void;
  /** Tries again now, where the broker is gone. */
  retry(): void;
}
