import { z } from 'zod';

/** Milliseconds since 1970. */
const at = z.number();

/** The time that one credential was, or is, held for. */
export const laneSegment = z.object({
  from: at,
  /** When another took its place, or its end; null: no end. */
  until: at.nullable(),
  /** It is held now. */
  current: z.boolean(),
});

/** Something that happened: the server said no, a renewal failed, somebody logged in. */
export const laneMark = z.object({
  at,
  kind: z.enum(['rejected', 'failed', 'login']),
  /** In words: "Server said 401". */
  words: z.string(),
});

/** A line of time, as each cluster has one. */
export const lane = z.object({ segments: z.array(laneSegment), marks: z.array(laneMark) });

export type LaneSegment = z.infer<typeof laneSegment>;
export type LaneMark = z.infer<typeof laneMark>;
export type LaneView = z.infer<typeof lane>;
