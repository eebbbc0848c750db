import { z } from 'zod';
import { callClasses } from '../../doors.ts';
import { defineCalls } from '../call.ts';
import { lane, laneMark, laneSegment } from '../lane.ts';

const name = z.string().min(1).max(128);
/** Milliseconds since 1970. */
const at = z.number();
const span = { since: z.int(), until: z.int() };
const steps = z.int().min(1).max(400);

/** The generation reason: why a credential is new. */
export const generationWhy = z.enum(['needed', 'due', 'ahead', 'rejected', 'loggedIn', 'found']);

/** The calls in one step of time; `since` and `until` are milliseconds since 1970. */
export const callStep = z.object({
  since: at,
  until: at,
  /** None is 0; most frequent first. `reason`: `held` (cached), `renewed`, `loggedIn`, or a refusal’s code. */
  counts: z.array(
    z.object({
      class: z.enum(callClasses),
      reason: z.string(),
      calls: z.number(),
    }),
  ),
});

export const historyCalls = defineCalls({
  /** One cluster’s timeline. A long span is merged into at most `most` segments, each of several credentials. */
  'cluster.lane': {
    input: z.object({ cluster: name, ...span, most: z.int().min(1).max(2_000) }),
    output: z.object({
      segments: z.array(
        laneSegment.extend({
          /** Of several credentials: the last one’s. */
          why: generationWhy,
          credential: z.enum(['token', 'certificate', 'password', 'awsKeys']),
          /** The credential’s number in its grant, which restarts with the broker; of several: the last. */
          generation: z.number(),
          count: z.number(),
        }),
      ),
      marks: z.array(
        laneMark.extend({
          what: z.enum(['rejected', 'doubted', 'renewalFailed', 'loggedIn', 'loginFailed', 'loggedOut']),
          code: z.string().nullable(),
          count: z.number(),
        }),
      ),
    }),
    background: true,
  },
  /** The timelines of many clusters, by name. Clusters that config.yaml doesn’t have are left out. */
  lanes: {
    input: z.object({ clusters: z.array(name).max(100), ...span, most: z.int().min(1).max(400) }),
    output: z.object({ lanes: z.record(z.string(), lane) }),
    background: true,
  },
  /** Calls over time. Steps of an hour or more begin at a full hour, so the first may begin before `since`. */
  'cluster.calls': {
    input: z.object({ cluster: name, ...span, steps }),
    output: z.object({ steps: z.array(callStep) }),
    background: true,
  },
  /** The programs that used a cluster, most frequent first. */
  'cluster.askers': {
    input: z.object({ cluster: name, ...span, most: z.int().min(1).max(200) }),
    output: z.object({
      askers: z.array(
        z.object({
          /** Null: the system doesn’t know it. */
          executable: z.string().nullable(),
          calls: z.number(),
          refused: z.number(),
          lastAt: at,
        }),
      ),
      /** How many more programs there are. */
      more: z.number(),
    }),
    background: true,
  },
});
