import { z } from 'zod';
import { jsonValue } from '../../json-value.ts';
import { defineCalls } from '../call.ts';

const name = z.string().min(1).max(128);

/** An entry as in config.yaml: checked at the broker by the schema of main/contract/config/config.ts. */
const entry = z
  .record(z.string().max(64), jsonValue(1024 * 1024))
  .refine((value) => Object.keys(value).length <= 32);
export type ClusterEntry = z.infer<typeof entry>;

/** What stands in the way, at a field of the entry; `field` null: the whole. */
const problem = z.object({
  field: z.string().nullable(),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
});
export type EntryProblem = z.infer<typeof problem>;

export const clusterEditingCalls = defineCalls({
  /** The entry as it is written in config.yaml: what it doesn't say counts by default. */
  'cluster.config': {
    input: z.object({ cluster: name }),
    output: z.object({
      entry,
      file: z.string(),
      /**
       * What waits for a person's word (rule: confirmed-binding), as `lanyard confirm` shows it: `+ server: …`; null:
       * nothing.
       */
      held: z.object({ change: z.string(), served: z.boolean(), lines: z.array(z.string()) }).nullable(),
    }),
    background: true,
  },
  /** What would be wrong with it; writes nothing. */
  'cluster.check': {
    input: z.object({ cluster: z.string().max(128), isNew: z.boolean(), entry }),
    output: z.object({ problems: z.array(problem) }),
    background: true,
  },
  /** Writes it into config.yaml, where it is held until a person confirms it (rule: confirmed-binding). */
  'cluster.set': {
    input: z.object({ cluster: name, isNew: z.boolean(), entry }),
    output: z.object({ held: z.boolean() }),
  },
  /** Takes it out of config.yaml. `undo` puts it back, as long as the broker runs, for a while. */
  'cluster.remove': {
    input: z.object({ cluster: name }),
    output: z.object({ undo: z.string() }),
  },
  /** Puts back what was removed, as it was: what was confirmed then counts as confirmed again. */
  'cluster.putBack': {
    input: z.object({ undo: z.string().max(64) }),
    output: z.object({ cluster: z.string(), held: z.boolean() }),
  },
});
