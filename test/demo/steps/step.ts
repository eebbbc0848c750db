import type { Ended } from '../../support/processes.ts';
import type { Stage } from '../stage.ts';

/** What a step found that it did. */
export interface Outcome {
  /** What the broker did, as its audit, the provider and the servers saw it. */
  did: string;
  milliseconds: number | null;
}

/** One row of the demo's table. `run` throws `Mismatch` where something else happened than the row says. */
export interface Step {
  what: string;
  /** Nothing after it makes sense without it. */
  essential?: true;
  run(stage: Stage): Promise<Outcome>;
}

/** Something else happened than the table says. */
export class Mismatch extends Error {}

/** Throws `Mismatch` with what was seen, unless `holds`. */
export function expect(holds: boolean, expected: string, seen: string): asserts holds {
  if (!holds) {
    throw new Mismatch(`expected ${expected}; ${seen}`);
  }
}

/** Throws `Mismatch` with what the program said, unless it ended well. */
export function expectGood(ended: Pick<Ended, 'code' | 'stdout' | 'stderr'>, program: string): void {
  const said = `${ended.stderr}\n${ended.stdout}`.trim().replace(/\s+/g, ' ');
  expect(
    ended.code === 0,
    `${program} to end well`,
    `it ended with ${ended.code} and said: ${said.slice(-600)}`,
  );
}

/** kubectl's run ended well and listed the demo's pods. */
export function expectPods(ended: Ended): void {
  expectGood(ended, 'kubectl');
  expect(/^web-0\s.*Running/m.test(ended.stdout), 'kubectl to list the pods', `it printed: ${ended.stdout}`);
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** `no refresh`, `1 refresh`, `2 refreshes`. */
export function refreshes(count: number): string {
  return count === 0 ? 'no refresh' : count === 1 ? '1 refresh' : `${count} refreshes`;
}
