import { describe, expect, it, test } from 'vitest';
import {
  callObjective,
  callSentence,
  type HourOfRuns,
  type Rotation,
  rotationKind,
  rotationObjective,
  rotationSentence,
} from './plugin-objectives.ts';

const day = 86_400_000;

function hours(runs: number, failed = 0, unusable = 0): HourOfRuns[] {
  return [{ account: 'eks', cluster: 'prod', hour: 23, runs, failed, unusable }];
}

function rotation(fields: Partial<Rotation> = {}): Rotation {
  const usual = { account: 'eks', cluster: null, at: 0, why: 'ahead' } as const;
  return { ...usual, age: 99.5 * day, life: 100 * day, afterFailure: false, ...fields };
}

describe('KEP-541/objectives: at most 0.01% of the calls fail', () => {
  it.each<[runs: number, failed: number, isMet: boolean | null]>([
    [0, 0, null],
    [1, 0, true],
    [1, 1, false],
    [9_999, 0, true],
    [9_999, 1, false],
    [10_000, 1, true],
    [10_000, 2, false],
    [19_999, 2, false],
    [20_000, 2, true],
    [70_000, 7, true],
  ])('of %i runs %i: %s', (runs, failed, isMet) => {
    expect(callObjective(hours(runs, failed)).isMet).toBe(isMet);
  });

  it('adds the hours up', () => {
    const sum = { runs: 15, failed: 3, unusable: 1, isMet: false };
    expect(callObjective([...hours(10, 2, 1), ...hours(5, 1)])).toEqual(sum);
  });

  const few = 'below 10,000 runs one failure breaks it';
  const unusable = ', 1 of them with exit code 0 and no usable answer';
  it.each<[runs: number, failed: number, unusable: number, sentence: string]>([
    [1_438, 2, 0, `2 of 1,438 runs failed (0.14%): objective 0.01% not met; ${few}`],
    [1, 0, 0, `0 of 1 run failed (0%): objective 0.01% met; ${few}`],
    [2, 2, 1, `2 of 2 runs failed (100%)${unusable}: objective 0.01% not met; ${few}`],
    [14_286, 1, 0, '1 of 14,286 runs failed (0.007%): objective 0.01% met'],
    [9_000, 2_000, 0, `2,000 of 9,000 runs failed (22%): objective 0.01% not met; ${few}`],
    [0, 0, 0, 'no runs in the last 24 h'],
  ])('with counts beside the ratio: %i, %i, %i', (runs, failed, unusable, sentence) => {
    expect(callSentence(callObjective(hours(runs, failed, unusable)))).toBe(sentence);
  });
});

describe('KEP-541/objectives: rotations within 1% of the lifetime', () => {
  test.each<[string, Partial<Rotation>, string]>([
    ['in the last hundredth', { age: 99.5 * day }, 'within'],
    ['as it begins', { age: 99 * day }, 'within'],
    ['at the end', { age: 100 * day }, 'within'],
    ['just before the last hundredth', { age: 99 * day - 1 }, 'early'],
    ['at once', { age: 0 }, 'early'],
    ['after a 401', { age: 10 * day, why: 'rejected' }, 'early'],
    ['after a 401, when it was time all the same', { age: 99.5 * day, why: 'rejected' }, 'within'],
    ['after the end, as nobody asked', { age: 120 * day, why: 'needed' }, 'idle'],
    [
      'after the end, as the plugin failed',
      { age: 100 * day + 1, why: 'needed', afterFailure: true },
      'late',
    ],
    ['after a failure, in time', { age: 99.9 * day, afterFailure: true }, 'within'],
  ])('%s', (_, fields, kind) => {
    expect(rotationKind(rotation(fields))).toBe(kind);
  });

  const ofFailure = { age: 101 * day, afterFailure: true };
  it.each<[string, Partial<Rotation>[], boolean | null, string]>([
    ['none', [], null, 'no certificate was rotated'],
    ['one in time', [{}], true, '1 of 1 rotation in the last 1% of the life: objective met'],
    [
      'early, after a 401, late, and nobody’s',
      [...Array(9).fill({}), { age: 1 }, { age: 1, why: 'rejected' }, ofFailure, { age: 101 * day }],
      false,
      '9 of 12 rotations in the last 1% of the life (2 early, 1 of them after a 401; 1 late, as the plugin failed): objective not met; besides 1 when it was requested again after it expired, which count neither way',
    ],
    [
      'nobody’s alone',
      [{ age: 101 * day }],
      null,
      'no rotation that counts: 1 when it was requested again after it expired',
    ],
  ])('%s', (_, rotations, isMet, sentence) => {
    const objective = rotationObjective(rotations.map(rotation));
    expect(objective.isMet).toBe(isMet);
    expect(rotationSentence(objective)).toBe(sentence);
  });
});
