import { expect, test } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const answeredAt = 'Fri, 01 May 2026 10:00:00 GMT';

test.each<[value: string | undefined, date: string | undefined, seconds: number | null]>([
  [undefined, answeredAt, null],
  ['120', answeredAt, 120],
  ['0', answeredAt, null],
  ['99999', answeredAt, 3600],
  ['-5', answeredAt, null],
  ['1.5', answeredAt, null],
  ['soon', answeredAt, null],
  // From the answer's own date: this machine may be two hours ahead.
  ['Fri, 01 May 2026 10:02:00 GMT', answeredAt, 120],
  ['Fri, 01 May 2026 09:59:00 GMT', answeredAt, null],
  ['Fri, 01 May 2026 23:00:00 GMT', answeredAt, 3600],
  ['Fri, 01 May 2026 12:00:30 GMT', undefined, 30],
])('%s at %s: %s', (value, date, seconds) => {
  expect(retryAfterSeconds(value, date, now)).toBe(seconds);
});
