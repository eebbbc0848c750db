/** The two ways between a window and the broker: a text as main/contract/ui/messages.ts has it, as over a WebSocket. */
export const channels = {
  /** From the page. */
  toBroker: 'lanyard:to-broker',
  /** To the page. */
  toPage: 'lanyard:to-page',
} as const;

/** What the preload puts into the page, and nothing else: `window.lanyard`. */
export interface PageBridge {
  send(text: string): void;
  /** One listener. */
  listen(listener: (text: string) => void): void;
}
