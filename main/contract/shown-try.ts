import { z } from 'zod';
import { type headerChange, triedAttempt, triedRequest, triedStep } from './tried-request.ts';

/**
 * A tried request as people see it, in the UI and on the command line: with the steps of config.yaml in place of the data
 * plane’s, and what to do about the answer. No secret is in it.
 */

/** A sentence in parts: an account’s name stands alone, so that it can be a link. */
const words = z.array(z.union([z.string(), z.object({ account: z.string() })]));

const shownStep = triedStep.omit({ kind: true }).extend({
  /** What the step does, as config.yaml has it; the cluster’s own credential is the first. */
  does: words,
});
export type ShownStep = z.infer<typeof shownStep>;

const shownAttempt = triedAttempt.extend({ steps: z.array(shownStep) });
export type ShownAttempt = z.infer<typeof shownAttempt>;

export type HeaderChange = z.infer<typeof headerChange>;

export const shownTry = triedRequest.extend({
  cluster: z.string(),
  method: z.string(),
  attempts: z.array(shownAttempt),
  /** What the status is called, such as `Forbidden`; empty: nothing known. */
  statusWords: z.string(),
  /** What the answer means, and what to do; none: it speaks for itself. */
  advice: z.array(z.object({ text: z.string(), hint: z.string().nullable() })),
});
export type ShownTry = z.infer<typeof shownTry>;
export type Advice = ShownTry['advice'][number];
