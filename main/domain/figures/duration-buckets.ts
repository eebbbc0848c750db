/**
 * Durations in steps that grow by a quarter of an octave: few buckets cover a microsecond to an hour, and a value
 * read from them is at most `answerErrorShare` off.
 */
const stepsPerOctave = 4;
const lastBucket = 31 * stepsPerOctave;

/** The largest relative error of a percentile that is read from buckets. */
export const answerErrorShare = 2 ** (1 / (2 * stepsPerOctave)) - 1;

/** The bucket of a duration in integer microseconds. */
export function durationBucket(microseconds: number): number {
  return microseconds <= 1
    ? 0
    : Math.min(lastBucket, Math.max(0, Math.floor(Math.log2(microseconds) * stepsPerOctave)));
}

/** The middle of a bucket, in microseconds. */
export function bucketMiddle(bucket: number): number {
  return 2 ** ((bucket + 0.5) / stepsPerOctave);
}

/** How many durations are in each bucket. */
export type DurationCounts = ReadonlyMap<number, number>;

/** The duration that this share of all doesn't exceed, in microseconds; null: there are none. */
export function durationAt(share: number, counts: DurationCounts): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let left = Math.max(1, Math.ceil(share * total));
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) {
      return bucketMiddle(bucket);
    }
  }
  return null;
}
