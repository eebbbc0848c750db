import { z } from 'zod';
import { defineCalls } from '../call.ts';

const name = z.string().min(1).max(128);

export const loginCalls = defineCalls({
  /**
   * Logs an account in, or joins the login that is under way (rule: single-flight); to cancel the call is to leave it,
   * and the last who leaves ends it. `flow` null: what the account says, and for this machine.
   */
  'account.login': {
    input: z.object({ account: name, flow: z.enum(['browser', 'device']).nullable() }),
    progress: z.discriminatedUnion('shows', [
      /** The provider's page: `opened` says that it should be on the display by now. */
      z.object({
        shows: z.literal('browserPage'),
        url: z.string(),
        opened: z.boolean(),
        /** Why the page probably shows an error, and what helps. */
        trouble: z.string().nullable(),
        expiresInSeconds: z.number(),
      }),
      /** RFC 8628. */
      z.object({
        shows: z.literal('deviceCode'),
        verificationUri: z.string(),
        verificationUriComplete: z.string().nullable(),
        userCode: z.string(),
        expiresInSeconds: z.number(),
      }),
    ]),
    output: z.object({ displayName: z.string(), issuer: z.string(), note: z.string().nullable() }),
  },
  'account.logout': {
    input: z.object({ account: name, everywhere: z.boolean() }),
    /** `message`: what became of the tokens, in a sentence or two. */
    output: z.object({ message: z.string() }),
  },
});
