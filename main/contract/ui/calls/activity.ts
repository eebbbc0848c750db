import { z } from 'zod';
import { doorNames } from '../../doors.ts';
import { defineCalls } from '../call.ts';

/** Milliseconds since 1970. */
const at = z.int();
const name = z.string().min(1).max(160);

export const activityKinds = [
  'call',
  'login',
  'logout',
  'generation',
  'renewal',
  'pluginRun',
  'rejection',
  'approval',
  'lock',
  'change',
] as const;

/** What of the record is shown; what isn't said isn't asked for. */
export const activityFilter = z.object({
  cluster: name.optional(),
  account: name.optional(),
  /** Words that the cluster, the account or the program of the caller have. */
  search: z.string().max(200).optional(),
  /** The caller's program, by its name: `kubectl`. */
  program: name.optional(),
  door: z.enum(doorNames).optional(),
  decision: z.enum(['handedOut', 'refused']).optional(),
  kinds: z.array(z.enum(activityKinds)).optional(),
  since: at,
  until: at.optional(),
});
export type ActivityFilter = z.infer<typeof activityFilter>;

/** One thing that happened, in words. */
export const activityEvent = z.object({
  /** Orders events however the clock was set. */
  id: z.number(),
  at: z.number(),
  kind: z.enum(activityKinds),
  sentence: z.string(),
  /** `refused`: a no that was meant; `failed`: somebody's fault. */
  tone: z.enum(['plain', 'good', 'refused', 'failed']),
  cluster: z.string().nullable(),
  account: z.string().nullable(),
  /** Names and values, for who wants to know more: the code among them. */
  details: z.array(z.tuple([z.string(), z.string()])),
});
export type ActivityEvent = z.infer<typeof activityEvent>;

const cursor = z.object({ at: z.number(), id: z.number() });

export const activityCalls = defineCalls({
  /** A page of the record, newest first. `next`: where the page after it begins; null: there is none. */
  'activity.query': {
    input: z.object({
      filter: activityFilter,
      before: cursor.optional(),
      limit: z.int().min(1).max(200),
    }),
    output: z.object({ events: z.array(activityEvent), next: cursor.nullable() }),
    background: true,
  },
  /** Goes on until it is cancelled: what happens meanwhile, oldest first. `missed`: too much at once to be told. */
  'activity.follow': {
    input: z.object({ filter: activityFilter }),
    progress: z.object({ events: z.array(activityEvent), missed: z.boolean() }),
    output: z.object({}),
    background: true,
  },
  /** All that the filter shows, oldest last, as lines of JSON as `lanyard audit --json` prints them, in pieces. */
  'activity.export': {
    input: z.object({ filter: activityFilter }),
    progress: z.object({ text: z.string() }),
    /** `cut`: there is more than is exported at once. */
    output: z.object({ events: z.number(), cut: z.boolean() }),
  },
});
