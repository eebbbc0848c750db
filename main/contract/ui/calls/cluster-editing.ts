import { z } from 'zod';
import { jsonValue } from '../../json-value.ts';
import { defineCalls } from '../call.ts';

const name = z.string().min(1).max(128);

/** An entry as in config.yaml. The broker validates it by main/contract/config/config.ts. */
const entry = z
  .record(z.string().max(64), jsonValue(1024 * 1024))
  .refine((value) => Object.keys(value).length <= 32);
export type ClusterEntry = z.infer<typeof entry>;

/** A problem with the entry, at one of its fields; `field` null: the whole entry. */
const problem = z.object({
  field: z.string().nullable(),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
});
export type EntryProblem = z.infer<typeof problem>;

export const clusterEditingCalls = defineCalls({
  /** The entry as in config.yaml, without defaults. */
  'cluster.config': {
    input: z.object({ cluster: name }),
    output: z.object({
      entry,
      file: z.string(),
      /**
       * What is pending approval (rule: confirmed-binding), as `lanyard confirm` shows it: `+ server: …`. Null:
       * nothing.
       */
      held: z.object({ change: z.string(), served: z.boolean(), lines: z.array(z.string()) }).nullable(),
    }),
    background: true,
  },
  /** The problems that the entry would have. Writes nothing. */
  'cluster.check': {
    input: z.object({ cluster: z.string().max(128), isNew: z.boolean(), entry }),
    output: z.object({ problems: z.array(problem) }),
    background: true,
  },
  /** Writes it to config.yaml. `held`: it is pending approval (rule: confirmed-binding). */
  'cluster.set': {
    input: z.object({ cluster: name, isNew: z.boolean(), entry }),
    output: z.object({ held: z.boolean() }),
  },
  /**
   * Removes it from config.yaml. `undo` is the token for `cluster.putBack`: valid for a while, until the broker ends.
   */
  'cluster.remove': {
    input: z.object({ cluster: name }),
    output: z.object({ undo: z.string() }),
  },
  /** Restores a removed cluster. If it was approved when it was removed, it is approved again. */
  'cluster.putBack': {
    input: z.object({ undo: z.string().max(64) }),
    output: z.object({ cluster: z.string(), held: z.boolean() }),
  },
});
