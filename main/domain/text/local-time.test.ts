import { expect, test } from 'vitest';
import { rowTime } from './local-time.ts';

test.each([
  ['today', new Date(2027, 2, 1, 14, 5, 9), '14:05:09'],
  ['yesterday', new Date(2027, 1, 28, 23, 59, 59), '28 Feb 23:59:59'],
  ['of another year', new Date(2026, 8, 3, 0, 0, 0), '3 Sep 2026 00:00:00'],
  ['that is none', new Date(Number.NaN), 'unknown'],
])('a time in a row, %s', (_, at, text) => {
  expect(rowTime(at.getTime(), new Date(2027, 2, 1, 23, 0).getTime())).toBe(text);
});
