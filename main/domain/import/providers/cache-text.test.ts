import { expect, it } from 'vitest';
import { durationMilliseconds } from '../../../contract/duration.ts';
import { cacheText } from './cache-text.ts';

it.each([
  [0, '0s', true],
  [0.000001, '0s', false],
  [999, '0s', false],
  [1_500, '1s', false],
  [90_000, '90s', true],
  [43_200_000, '12h', true],
  [86_400_000, '1d', true],
  [1_000_001_000, '16666m', false],
  [9e15, '999999d', false],
])('%d ms become %s', (milliseconds, text, exact) => {
  expect(cacheText(milliseconds)).toEqual({ text, exact });
  expect(text === '0s' ? 0 : durationMilliseconds(text)).toBeLessThanOrEqual(milliseconds);
});
