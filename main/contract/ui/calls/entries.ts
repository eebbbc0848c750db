import { z } from 'zod';
import { jsonValue } from '../../json-value.ts';
import { defineCalls } from '../call.ts';

/** The kinds of entry that a form of the page edits as a whole. Accounts have calls of their own, for their secrets. */
const kind = z.enum(['cluster', 'registry', 'inventory']);
export type EntryKind = z.infer<typeof kind>;

const name = z.string().min(1).max(128);

/** More than a config.yaml holds, and less than one message. */
const names = z.array(name).min(1).max(5_000);

/** An entry as in config.yaml. The broker validates it by main/contract/config/config.ts. */
export const entry = z
  .record(z.string().max(64), jsonValue(1024 * 1024))
  .refine((value) => Object.keys(value).length <= 32);
export type ConfigEntry = z.infer<typeof entry>;

/** A problem with the entry, at one of its fields; `field` null: the whole entry. */
const problem = z.object({
  field: z.string().nullable(),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
});
export type EntryProblem = z.infer<typeof problem>;

export const entryCalls = defineCalls({
  /** The entry as in config.yaml, without defaults. */
  'entry.config': {
    input: z.object({ kind, name }),
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
  /** The problems that the entry would have, and what to know before it is saved. Writes nothing. */
  'entry.check': {
    input: z.object({ kind, name: z.string().max(128), isNew: z.boolean(), entry }),
    output: z.object({ problems: z.array(problem) }),
    background: true,
  },
  /** Writes it to config.yaml. `held`: it is pending approval (rule: confirmed-binding). */
  'entry.set': {
    input: z.object({ kind, name, isNew: z.boolean(), entry }),
    output: z.object({ held: z.boolean() }),
  },
  /** Sets when the user is asked, in all of these by one write. `held`: how many are pending approval. */
  'entry.setApproval': {
    input: z.object({ kind, names, approval: z.string().max(64) }),
    output: z.object({ held: z.number() }),
  },
  /**
   * Removes these from config.yaml by one write: all of them, or none. `undo` is the token for `entry.putBack`: valid
   * for a while, until the broker ends.
   */
  'entry.remove': { input: z.object({ kind, names }), output: z.object({ undo: z.string() }) },
  /** Restores what one call removed. What was approved then is approved again; `held`: how many are pending. */
  'entry.putBack': {
    input: z.object({ kind, undo: z.string().max(64) }),
    output: z.object({ held: z.number() }),
  },
});
