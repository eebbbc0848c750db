import type { z } from 'zod';

/** One call of the UI's contract. Both ends parse by these. */
export interface CallSpec {
  input: z.ZodType;
  output: z.ZodType;
  /** What may come before the output, any number of times: for what takes a person's or a provider's time. */
  progress?: z.ZodType;
  /** The page makes it by itself, to show something: it doesn't keep Lanyard from locking when idle. */
  background?: true;
}

/** Keeps the schemas' own types, so that both ends are typed from one map. */
export function defineCalls<const Calls extends Record<string, CallSpec>>(calls: Calls): Calls {
  return calls;
}
