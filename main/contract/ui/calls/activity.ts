import { z } from 'zod';
import { callOutcomes, doorNames } from '../../doors.ts';
import { activityKinds } from '../activity-kinds.ts';
import { defineCalls } from '../call.ts';

/** Milliseconds since 1970. */
const at = z.int();
const name = z.string().min(1).max(160);

/** Which events are shown. A filter that is left out matches all. */
export const activityFilter = z.object({
  cluster: name.optional(),
  registry: name.optional(),
  /** Also what concerns the clusters of its profiles. */
  inventory: name.optional(),
  account: name.optional(),
  /** Words of the cluster’s or registry’s, the account’s or the calling program’s name, or of a request’s path. */
  search: z.string().max(200).optional(),
  /** The calling program’s name, such as `kubectl`. */
  program: name.optional(),
  door: z.enum(doorNames).optional(),
  decision: z.enum(callOutcomes).optional(),
  kinds: z.array(z.enum(activityKinds)).optional(),
  since: at,
  until: at.optional(),
});
export type ActivityFilter = z.infer<typeof activityFilter>;

/** One event, in words. */
export const activityEvent = z.object({
  /** Orders events, even where the clock was set. */
  id: z.number(),
  at: z.number(),
  kind: z.enum(activityKinds),
  /** The calling program’s name; null: no program asked for it. */
  program: z.string().nullable(),
  /** What it was about: a cluster, a registry, a stored entry, an inventory. Null: an account alone, or Lanyard. */
  target: z.string().nullable(),
  /** What happened, in words; of a call, what became of it: `Issued`, `Denied: Lanyard is locked`. */
  result: z.string(),
  /** `refused`: policy or the user denied it. `failed`: an error. */
  tone: z.enum(['plain', 'good', 'refused', 'failed']),
  cluster: z.string().nullable(),
  registry: z.string().nullable(),
  inventory: z.string().nullable(),
  account: z.string().nullable(),
  /** What tells it from events whose words are the same, such as the program’s whole path. Equal: the list may show them as one. */
  foldKey: z.string(),
  /** Names and values, such as the code of an error. */
  details: z.array(z.tuple([z.string(), z.string()])),
});
export type ActivityEvent = z.infer<typeof activityEvent>;

const cursor = z.object({ at: z.number(), id: z.number() });

export const activityCalls = defineCalls({
  /** One page of events, newest first. `next`: where the next page begins; null: this is the last. */
  'activity.query': {
    input: z.object({
      filter: activityFilter,
      before: cursor.optional(),
      limit: z.int().min(1).max(200),
    }),
    output: z.object({ events: z.array(activityEvent), next: cursor.nullable() }),
    background: true,
  },
  /** Sends new events until it is cancelled, oldest first. `missed`: there were too many at a time to send them all. */
  'activity.follow': {
    input: z.object({ filter: activityFilter }),
    progress: z.object({ events: z.array(activityEvent), missed: z.boolean() }),
    output: z.object({}),
    background: true,
  },
  /** All events that match, newest first, as lines of JSON like `lanyard audit --json`, in pieces. */
  'activity.export': {
    input: z.object({ filter: activityFilter }),
    progress: z.object({ text: z.string() }),
    /** `cut`: more events match than one export has. */
    output: z.object({ events: z.number(), cut: z.boolean() }),
  },
});
