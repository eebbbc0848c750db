/**
 * The channels between a window and the app. Messages are texts in the format of main/contract/ui/messages.ts, as
 * over a WebSocket.
 */
export const channels = {
  /** From the page: a document starts to listen. */
  begin: 'lanyard:begin',
  /** From the page: a message. */
  toBroker: 'lanyard:to-broker',
  /** To the page: a message. */
  toPage: 'lanyard:to-page',
  /** To the preload: the fragment of the view to show. */
  route: 'lanyard:route',
} as const;
