/** Waits between tries, in milliseconds: they double from `first` up to `longest`, each with jitter. */
export interface BackoffShape {
  first: number;
  longest: number;
}

/**
 * How long to wait after `failures` in a row (1 for the first), between half and all of the doubled time: many
 * laptops that lost the same provider at once must not come back at once.
 * `random` gives a number from 0 up to 1.
 */
export function backoffMilliseconds(failures: number, shape: BackoffShape, random: () => number): number {
  const doubled = shape.first * 2 ** Math.min(Math.max(0, failures - 1), 30);
  return Math.min(doubled, shape.longest) * (0.5 + random() / 2);
}
