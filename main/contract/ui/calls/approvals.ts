import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { pageYes } from '../state.ts';

export const approvalCalls = defineCalls({
  /**
   * Answers a question for the caller that it shows. Refused as `question.gone` where it was answered elsewhere before,
   * or another caller has replaced the one that was shown.
   */
  'question.answer': {
    input: z.object({ id: z.string().max(64), answer: z.enum(['no', ...pageYes.options]) }),
    output: z.object({}),
  },
});
