import { expect, test } from 'vitest';
import { FakeClock } from '../../testing/fake-clock.ts';
import { createClockCheck } from './clock-check.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const dateAt = (offSeconds: number) => new Date(now - offSeconds * 1000).toUTCString();
const post = { method: 'POST', age: undefined, tookMilliseconds: 0 };

test.each<[offSeconds: number, tookMilliseconds: number, sentence: string | null]>([
  [0, 0, null],
  [60, 0, null],
  [-60, 0, null],
  [61, 0, 'this machine’s clock is 1 min ahead of id.example.com’s'],
  [420, 0, 'this machine’s clock is 7 min ahead of id.example.com’s'],
  [-420, 0, 'this machine’s clock is 7 min behind id.example.com’s'],
  [7200, 0, 'this machine’s clock is 2 h ahead of id.example.com’s'],
  [-3 * 86_400, 0, 'this machine’s clock is 3 d behind id.example.com’s'],
  // A slow answer is no clock that is off.
  [70, 15_000, null],
  [80, 15_000, 'this machine’s clock is 1 min ahead of id.example.com’s'],
])('off by %s s, in an answer that took %s ms: %s', (off, tookMilliseconds, sentence) => {
  const check = createClockCheck(new FakeClock(now));
  check.saw({ ...post, date: dateAt(off), tookMilliseconds });
  expect(check.sentence('id.example.com')).toBe(sentence);
  expect(check.offSeconds()).toBe(sentence === null ? null : off);
});

test('a clock that is set afterwards is no longer off, and time that passes changes nothing', () => {
  const time = { now, boottime: 0 };
  const check = createClockCheck({ now: () => time.now, boottime: () => time.boottime });
  check.saw({ ...post, date: dateAt(420) });
  time.now += 3_600_000;
  time.boottime += 3_600_000;
  expect(check.offSeconds()).toBe(420);
  time.now -= 420_000;
  expect(check.offSeconds()).toBeNull();
});

test.each([
  { ...post, method: 'GET', date: dateAt(420) },
  { ...post, age: '420', date: dateAt(420) },
  { ...post, date: undefined },
  { ...post, date: 'yesterday' },
])('what may come from a cache, or says nothing, does not count: %j', (answer) => {
  const check = createClockCheck(new FakeClock(now));
  check.saw(answer);
  expect(check.offSeconds()).toBeNull();
});
