import { z } from 'zod';
import { defineCalls } from '../call.ts';

const nothing = z.object({});
const paths = z.array(z.string());
/** What was left unchanged, and why. */
const left = z.array(z.object({ path: z.string(), why: z.string() }));

/** The command line tools of this user. The broker chooses the folder, never the page. */
export const toolsCalls = defineCalls({
  /** Installs the tools, and repairs missing ones. Never replaces a file that isn’t Lanyard’s. */
  'tools.install': {
    input: nothing,
    output: z.object({ made: paths, left, notes: z.array(z.string()) }),
  },
  /** Removes the tools. Files that were changed since stay. */
  'tools.remove': { input: nothing, output: z.object({ removed: paths, left }) },
});
