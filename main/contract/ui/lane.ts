import { z } from 'zod';

/** Milliseconds since 1970. */
const at = z.number();

/** The time in which one credential was current. */
export const laneSegment = z.object({
  from: at,
  /** When another replaced it, or when it expires; null: it never expires. */
  until: at.nullable(),
  /** It is current now. */
  current: z.boolean(),
});

/** An event on the timeline: the server rejected a credential, a renewal failed, the user logged in. */
export const laneMark = z.object({
  at,
  kind: z.enum(['rejected', 'failed', 'login']),
  /** In words: "Rejected (401)". */
  words: z.string(),
});

/** A cluster’s timeline. */
export const lane = z.object({ segments: z.array(laneSegment), marks: z.array(laneMark) });

export type LaneSegment = z.infer<typeof laneSegment>;
export type LaneMark = z.infer<typeof laneMark>;
export type LaneView = z.infer<typeof lane>;
