import { expect, it } from 'vitest';
import { laneWords } from './lane-words.ts';

const now = new Date(2026, 2, 3, 10, 0).getTime();
const at = (hours: number, minutes = 0) => new Date(2026, 2, 3, hours, minutes).getTime();
const window = { since: at(6), until: at(14) };

it('says in words what the lane shows', () => {
  const segments = [
    { from: at(7), until: at(8), current: false },
    { from: at(8), until: at(9), current: false },
    { from: at(9), until: at(11), current: true },
  ];
  const marks = [
    { at: at(7, 21), kind: 'rejected' as const },
    { at: at(7, 31), kind: 'rejected' as const },
    { at: at(6, 30), kind: 'login' as const },
    { at: at(15), kind: 'failed' as const },
  ];
  expect(laneWords({ segments, marks, renewsAt: at(10, 50) }, window, now)).toBe(
    'Valid since 09:00, until 11:00, renews automatically at 10:50. 2 earlier credentials in sight. Rejected by the server (401) 2 times, last at 07:31. Logged in at 06:30.',
  );
});

it('says that no credential is cached, and that the cached one never expires', () => {
  expect(laneWords({ segments: [], marks: [] }, window, now)).toBe('No cached credential.');
  expect(laneWords({ segments: [{ from: at(4), until: null, current: true }], marks: [] }, window, now)).toBe(
    'Valid since 04:00, never expires.',
  );
});

it('tells an hour of another day with its day', () => {
  const from = new Date(2026, 1, 27, 4, 18).getTime();
  const until = new Date(2026, 10, 27, 4, 10).getTime();
  const nextYear = new Date(2027, 2, 3, 4, 10).getTime();
  const words = (end: number, renewsAt: number | null) =>
    laneWords({ segments: [{ from, until: end, current: true }], marks: [], renewsAt }, window, now);
  expect(words(until, null)).toBe('Valid since 27 Feb 04:18, until 27 Nov 04:10.');
  expect(words(nextYear, until)).toBe(
    'Valid since 27 Feb 04:18, until 3 Mar 2027, renews automatically at 27 Nov 04:10.',
  );
});
