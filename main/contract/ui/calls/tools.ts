import { z } from 'zod';
import { defineCalls } from '../call.ts';

const nothing = z.object({});
const paths = z.array(z.string());
/** What is as it was, and why, for people. */
const left = z.array(z.object({ path: z.string(), why: z.string() }));

/** The command line tools, for the person whose broker this is. Where they go is not a page's to say. */
export const toolsCalls = defineCalls({
  /** Puts them there, and makes anew what is missing; never in the place of what isn't Lanyard's. */
  'tools.install': {
    input: nothing,
    output: z.object({ made: paths, left, notes: z.array(z.string()) }),
  },
  /** Takes them back; what was changed since stays. */
  'tools.remove': { input: nothing, output: z.object({ removed: paths, left }) },
});
