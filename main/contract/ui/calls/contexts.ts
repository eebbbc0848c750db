import { z } from 'zod';
import { defineCalls } from '../call.ts';

export const contextCalls = defineCalls({
  /** Makes a context of the section `contexts` the current one, like `lanyard context NAME`. For the tray alone. */
  'context.use': {
    input: z.object({ context: z.string().min(1).max(256) }),
    output: z.object({}),
  },
});
