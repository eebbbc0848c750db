import { expect, it } from 'vitest';
import { callsSpan } from './calls-span.ts';
import { spans, windowOf } from './lane-span.ts';

const minute = 60_000;
const now = new Date(2026, 2, 3, 10, 36).getTime();

it.each(spans.map(({ value }) => value))('a span of %s has steps with a name, up to now', (span) => {
  const { since, until, steps } = callsSpan(windowOf({ span, until: null }, now), now);
  const width = (until - since) / steps;
  expect([1, 10, 30, 360, 1_440, 10_080]).toContain(width / minute);
  expect(steps).toBeLessThanOrEqual(61);
  expect(until).toBeGreaterThanOrEqual(now);
  expect(until - now).toBeLessThan(width);
  const start = new Date(since);
  expect((start.getHours() * 60 + start.getMinutes()) % Math.min(width / minute, 1_440)).toBe(0);
});

it('is the same for a while, and never empty', () => {
  const window = windowOf({ span: 'day', until: null }, now);
  expect(callsSpan(window, now)).toEqual(callsSpan(window, now + minute));
  const future = { since: now + minute, until: now + 61 * minute };
  expect(callsSpan(future, now).steps).toBeGreaterThan(0);
});
