import type { z } from 'zod';

/** One call of the UI’s contract. Page and broker both parse by these schemas. */
export interface CallSpec {
  input: z.ZodType;
  output: z.ZodType;
  /** Sent any number of times before the output, by a call that waits for the user or a provider. */
  progress?: z.ZodType;
  /** The page makes it automatically, to show something: it doesn’t keep Lanyard from locking when idle. */
  background?: true;
}

/** Keeps the schemas’ own types, so that both ends are typed by one map. */
export function defineCalls<const Calls extends Record<string, CallSpec>>(calls: Calls): Calls {
  return calls;
}
