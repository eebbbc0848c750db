/** The ways between a window and the app: a text as main/contract/ui/messages.ts has it, as over a WebSocket. */
export const channels = {
  /** From the page: a document begins to listen. */
  begin: 'lanyard:begin',
  /** From the page: a message. */
  toBroker: 'lanyard:to-broker',
  /** To the page: a message. */
  toPage: 'lanyard:to-page',
  /** To the preload: the fragment of the view to show. */
  route: 'lanyard:route',
} as const;
