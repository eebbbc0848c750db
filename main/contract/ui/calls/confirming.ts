import { z } from 'zod';
import { defineCalls } from '../call.ts';

export const confirmingCalls = defineCalls({
  /** What waits for a person's word (rule: confirmed-binding), as `lanyard confirm` shows it. */
  'confirm.list': {
    input: z.object({}),
    output: z.object({
      changes: z.array(z.object({ title: z.string(), lines: z.array(z.string()) })),
      /** The line for a terminal. */
      command: z.string(),
    }),
    background: true,
  },
  /**
   * Opens a window of the broker's own in the person's browser: a page without scripts, at an address that this page
   * never learns. Only there, and on a terminal, is a change approved (rule: approval-outside-page), and a secret
   * typed. One at a time; resolves when it has been opened, and the state says the rest.
   */
  'window.open': {
    input: z.discriminatedUnion('what', [
      z.object({ what: z.literal('confirm') }),
      z.object({ what: z.literal('unlock') }),
      z.object({ what: z.literal('secret'), account: z.string().max(128), secret: z.string().max(160) }),
      z.object({ what: z.literal('question'), id: z.string().max(64) }),
    ]),
    output: z.object({}),
  },
});
