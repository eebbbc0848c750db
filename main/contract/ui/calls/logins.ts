import { z } from 'zod';
import { defineCalls } from '../call.ts';

const name = z.string().min(1).max(128);

export const loginCalls = defineCalls({
  /**
   * Logs in to an account, or joins the login that is under way (rule: single-flight). To cancel the call is to leave
   * it; the login ends when all have left. `flow` null: the account’s setting, as fits this machine.
   */
  'account.login': {
    input: z.object({ account: name, flow: z.enum(['browser', 'device']).nullable() }),
    progress: z.discriminatedUnion('shows', [
      /** The provider’s page. `opened`: the broker has opened it in a browser. */
      z.object({
        shows: z.literal('browserPage'),
        url: z.string(),
        opened: z.boolean(),
        /** Why the page probably shows an error, and what to do. */
        trouble: z.string().nullable(),
        expiresInSeconds: z.number(),
      }),
      /** The device code (RFC 8628). */
      z.object({
        shows: z.literal('deviceCode'),
        verificationUri: z.string(),
        verificationUriComplete: z.string().nullable(),
        userCode: z.string(),
        expiresInSeconds: z.number(),
      }),
      /**
       * A token’s PIN is typed in the broker’s own window, which is open, or at the token’s pad
       * (rule: approval-outside-page).
       */
      z.object({
        shows: z.literal('pin'),
        token: z.string(),
        /** As `PinQuestion.tries`. */
        tries: z.enum(['low', 'final']).nullable(),
        atPad: z.boolean(),
        expiresInSeconds: z.number(),
      }),
    ]),
    output: z.object({ displayName: z.string(), issuer: z.string(), note: z.string().nullable() }),
  },
  'account.logout': {
    input: z.object({ account: name, everywhere: z.boolean() }),
    /** `message`: what happened to the tokens, in a sentence or two. */
    output: z.object({ message: z.string() }),
  },
});
