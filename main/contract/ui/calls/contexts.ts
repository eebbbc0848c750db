import { z } from 'zod';
import { defineCalls } from '../call.ts';

export const contextCalls = defineCalls({
  /**
   * Makes a context of the user’s kubeconfigs the current one, like `lanyard context NAME`: a context of the section
   * `contexts`, or the one that leads to this cluster. At once for the tray. A page only opens the broker’s own window,
   * which asks (rule: approval-outside-page).
   */
  'context.use': {
    input: z.union([
      z.object({ context: z.string().min(1).max(256) }),
      z.object({ cluster: z.string().min(1).max(128) }),
    ]),
    output: z.object({ asks: z.boolean() }),
  },
});
