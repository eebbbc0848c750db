import { expect, it } from 'vitest';
import { answerErrorShare, durationAt, durationBucket } from './duration-buckets.ts';

/** Numbers without chance: the same in each run. */
function numbers(count: number, spread: number): number[] {
  let state = 12345;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.max(1, Math.floor(2 ** ((state / 2 ** 31) * spread)));
  });
}

function countsOf(durations: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const each of durations) {
    counts.set(durationBucket(each), (counts.get(durationBucket(each)) ?? 0) + 1);
  }
  return counts;
}

it.each([1, 2, 7, 100, 5_000])('percentiles of %i durations are right to within the error said', (count) => {
  const durations = numbers(count, 30);
  const sorted = durations.toSorted((a, b) => a - b);
  const counts = countsOf(durations);
  for (const share of [0.01, 0.5, 0.9, 0.99, 1]) {
    const exact = sorted[Math.max(1, Math.ceil(share * count)) - 1] ?? 0;
    const read = durationAt(share, counts) ?? 0;
    // One microsecond is its bucket's beginning; elsewhere the middle is at most half a bucket away.
    expect(Math.abs(Math.log2(read / exact))).toBeLessThanOrEqual(Math.log2(1 + answerErrorShare) + 1e-9);
  }
});

it('of nothing there is no percentile', () => {
  expect(durationAt(0.5, new Map())).toBeNull();
});

it.each([-5, 0, 1, Number.MAX_SAFE_INTEGER])('any duration has a bucket: %i', (microseconds) => {
  expect(durationBucket(microseconds)).toBeGreaterThanOrEqual(0);
  expect(durationBucket(microseconds)).toBeLessThanOrEqual(124);
});
