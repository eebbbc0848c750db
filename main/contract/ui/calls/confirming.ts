import { z } from 'zod';
import { defineCalls } from '../call.ts';

export const confirmingCalls = defineCalls({
  /**
   * The changes that are pending approval (rule: confirmed-binding), as `lanyard confirm` shows them. Of what is too long
   * for a page only titles and risks.
   */
  'confirm.list': {
    input: z.object({}),
    output: z.object({
      changes: z.array(
        z.object({
          title: z.string(),
          /** Why it deserves a second look. */
          risks: z.array(z.string()),
          lines: z.array(z.string()),
          /** Of profiles that have changed in the same way: their names, some in each line. */
          names: z.array(z.string()).optional(),
        }),
      ),
      /** The command for a terminal. */
      command: z.string(),
    }),
    background: true,
  },
  /**
   * Opens one of the broker’s own windows in the user’s browser: a page without scripts, at an address that this page
   * never gets. Only there, and on a terminal, are changes approved (rule: approval-outside-page) and secrets typed.
   * One window at a time. Resolves once it is open; the state reports the rest.
   */
  'window.open': {
    input: z.discriminatedUnion('what', [
      z.object({ what: z.literal('confirm') }),
      z.object({ what: z.literal('unlock') }),
      z.object({ what: z.literal('contexts') }),
      z.object({ what: z.literal('secret'), account: z.string().max(128), secret: z.string().max(160) }),
      z.object({ what: z.literal('question'), id: z.string().max(64) }),
    ]),
    output: z.object({}),
  },
});
