/** Waits between attempts, in milliseconds: they double from `first` up to `longest`, each with jitter. */
export interface BackoffShape {
  first: number;
  longest: number;
}

/** Of programs, and of servers that many don’t share: 1 s, doubling to 30 s. */
export const shortBackoff: BackoffShape = { first: 1_000, longest: 30_000 };

/** The `times`-th wait, from 1, without jitter. */
export function doubled({ first, longest }: BackoffShape, times: number): number {
  return Math.min(longest, first * 2 ** Math.min(Math.max(0, times - 1), 30));
}

/**
 * How long to wait, in milliseconds, after `failures` in a row (1 for the first): between half and all of the doubled
 * time, so that many laptops that lost the same provider don't come back at the same moment. `random` gives a number
 * from 0 up to 1.
 */
export function backoffMilliseconds(failures: number, shape: BackoffShape, random: () => number): number {
  return doubled(shape, failures) * (0.5 + random() / 2);
}
