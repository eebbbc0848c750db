import { z } from 'zod';
import { defineCalls } from '../call.ts';

export const contextCalls = defineCalls({
  /** Makes one of the section `contexts` the current one, as `lanyard context NAME` does. Of the tray, and of no page. */
  'context.use': {
    input: z.object({ context: z.string().min(1).max(256) }),
    output: z.object({}),
  },
});
