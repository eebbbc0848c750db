import { expect, it } from 'vitest';
import { laneWords } from './lane-words.ts';

const window = { since: 0, until: 100 };
const clock = (at: number) => `:${at}`;

it('says in words what the lane shows', () => {
  const segments = [
    { from: 1, until: 20, current: false },
    { from: 20, until: 40, current: false },
    { from: 40, until: 70, current: true },
  ];
  const marks = [
    { at: 21, kind: 'rejected' as const },
    { at: 31, kind: 'rejected' as const },
    { at: 2, kind: 'login' as const },
    { at: 200, kind: 'failed' as const },
  ];
  expect(laneWords({ segments, marks, renewsAt: 60 }, window, clock)).toBe(
    'Valid since :40, until :70, renews automatically at :60. 2 earlier credentials in sight. Rejected by the server (401) 2 times, last at :31. Logged in at :2.',
  );
});

it('says that no credential is cached, and that the cached one never expires', () => {
  expect(laneWords({ segments: [], marks: [] }, window, clock)).toBe('No cached credential.');
  expect(laneWords({ segments: [{ from: 4, until: null, current: true }], marks: [] }, window, clock)).toBe(
    'Valid since :4, never expires.',
  );
});
