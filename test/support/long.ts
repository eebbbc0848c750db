import { seededRandom } from './storm-random.ts';

/** Whether the long form of each test runs: `./scripts/test --long` sets LANYARD_LONG=1. */
export const isLong = process.env['LANYARD_LONG'] === '1';

/** Why a test that only the long form has is left out; null where it runs. */
export const whyNotLong = isLong ? null : 'only with --long';

/** LANYARD_SEED, which vitest.config.ts chooses where it is not set: the same seed chooses the same points again. */
const seed = Number(process.env['LANYARD_SEED'] ?? 1);

/** A title’s end that says how to choose the same points again; empty in the long form, which takes all. */
export const seedInTitle = isLong ? '' : ` (LANYARD_SEED=${seed})`;

/**
 * Which of `count` points, from 1, a test takes: all in the long form, otherwise `some`, one in each equal part. The
 * seed chooses them.
 */
export function chosenPoints(count: number, some = 3): number[] {
  if (isLong || count <= some) {
    return Array.from({ length: count }, (_, index) => index + 1);
  }
  const random = seededRandom(seed);
  return Array.from({ length: some }, (_, part) => {
    const [first, end] = [Math.floor((part * count) / some), Math.floor(((part + 1) * count) / some)];
    return first + 1 + Math.floor(random() * (end - first));
  });
}
