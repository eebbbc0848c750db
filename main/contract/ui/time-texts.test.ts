import { expect, test } from 'vitest';
import { agoText, clockText, leftText, spanText, tookText } from './time-texts.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

test.each([
  [null, 'never expires'],
  [0, 'ended'],
  [-5, 'ended'],
  [45 * second, '45 s'],
  [minute, '1 min'],
  [89 * second, '1 min 29 s'],
  [90 * second, '1 min 30 s'],
  [2 * minute, '2 min'],
  [42 * minute + 59 * second, '42 min'],
  [60 * minute, '60 min'],
  [3 * hour + 20 * minute, '3 h 20 min'],
  [2 * hour, '2 h'],
  [6 * day + 4 * hour, '6 d 4 h'],
  [340 * day, '11 mo'],
  [3 * 366 * day, '3 y'],
])('of %s ms is left: %s', (milliseconds, text) => {
  expect(leftText(milliseconds)).toBe(text);
});

test('a span is never below nothing', () => {
  expect(spanText(-1)).toBe('0 s');
  expect(spanText(14 * minute)).toBe('14 min');
});

test.each([
  [940, '0.9 ms'],
  [412_000, '412 ms'],
  [999_600, '1.0 s'],
  [2_100_000, '2.1 s'],
])('%i µs took %s', (microseconds, text) => {
  expect(tookText(microseconds)).toBe(text);
});

test('what has just been is just now, also by a clock that is a little behind', () => {
  expect(agoText(1000, 900)).toBe('just now');
  expect(agoText(0, 3 * minute)).toBe('3 min ago');
  expect(agoText(0, 5 * day)).toBe('5 d ago');
});

test('the day is said where it is another', () => {
  const now = new Date(2026, 2, 4, 12, 0).getTime();
  expect(clockText(new Date(2026, 2, 4, 9, 5).getTime(), now)).toBe('09:05');
  expect(clockText(new Date(2026, 2, 6, 14, 31).getTime(), now)).toBe('6 Mar 14:31');
  expect(clockText(new Date(2026, 4, 1, 8, 0).getTime(), now)).toBe('1 May 08:00');
  expect(clockText(new Date(2027, 4, 1, 8, 0).getTime(), now)).toBe('1 May 2027');
});
