import { describe, expect, it } from 'vitest';
import { durationMilliseconds } from './duration.ts';

describe('durationMilliseconds', () => {
  it.each([
    ['30s', 30_000],
    ['15m', 900_000],
    ['8h', 28_800_000],
    ['90d', 7_776_000_000],
    ['0s', null],
    ['1.5h', null],
    ['15', null],
    ['15 m', null],
    ['-1m', null],
    ['1w', null],
    ['9999999d', null],
  ])('%s', (text, milliseconds) => {
    expect(durationMilliseconds(text)).toBe(milliseconds);
  });
});
