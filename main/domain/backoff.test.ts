import { describe, expect, it } from 'vitest';
import { backoffMilliseconds } from './backoff.ts';

const shape = { first: 5_000, longest: 300_000 };

describe('backoffMilliseconds', () => {
  it.each([
    [1, 2_500, 5_000],
    [2, 5_000, 10_000],
    [3, 10_000, 20_000],
    [7, 150_000, 300_000],
    [1_000_000, 150_000, 300_000],
  ])('after %s failures lies between %s and %s', (failures, least, most) => {
    expect(backoffMilliseconds(failures, shape, () => 0)).toBe(least);
    expect(backoffMilliseconds(failures, shape, () => 0.999_999)).toBeCloseTo(most, -1);
  });
});
