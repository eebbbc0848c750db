import type { PageMessage } from '../../main/contract/ui/messages.ts';

/** How the page and its broker are connected now. */
export type Connection =
  | { kind: 'connecting' }
  | { kind: 'open' }
  /** The broker is not reachable now. The carrier reconnects automatically. */
  | { kind: 'gone'; since: number }
  /** The broker doesn't accept this page. Only `lanyard ui` helps. `why`: the reason, for the user. */
  | { kind: 'refused'; why: string };

export interface CarrierListener {
  /** The JSON value of a broker's message. The listener reads it. */
  onMessage(message: unknown): void;
  onConnection(connection: Connection): void;
}

/** Carries messages to the broker and back: a WebSocket, or Electron's IPC. No other module knows which. */
export interface Carrier {
  /** Starts the carrier. Call it once. */
  start(listener: CarrierListener): void;
  /** Drops the message without a connection. `onConnection` reports that to callers that wait for an answer. */
  send(message: PageMessage): void;
  /** Tries again now if the broker is gone. */
  retry(): void;
}
