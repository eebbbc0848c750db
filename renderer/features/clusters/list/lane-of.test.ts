import { expect, it } from 'vitest';
import { laneOf } from './lane-of.ts';

const now = 1_000;
const past = { from: 100, until: 400, current: false };
const current = { from: 400, until: 1_500, current: true };
const lane = { segments: [past, current], marks: [] };
const credential = {
  kind: 'token' as const,
  issuedAt: 900,
  expiresAt: 1_900,
  renewsAt: null,
  trouble: null,
  generation: 1,
};

it('draws what is held as the history tells it', () => {
  expect(laneOf(lane, { credential, state: 'ready' }, now)).toBe(lane);
});

it('draws what is held where the history doesn’t tell of it', () => {
  expect(laneOf(undefined, { credential, state: 'ready' }, now).segments).toEqual([
    { from: 900, until: 1_900, current: true },
  ]);
});

it('draws nothing as held where nothing is, whatever the history tells', () => {
  expect(laneOf(lane, { credential: null, state: 'ready' }, now).segments).toEqual([
    past,
    { from: 400, until: now, current: false },
  ]);
  const endless = { segments: [{ ...current, until: null }], marks: [] };
  expect(laneOf(endless, { credential: null, state: 'ready' }, now).segments[0]?.until).toBe(now);
});

it('leaves the line as it is while Lanyard is locked, and tells nothing of what is held', () => {
  expect(laneOf(lane, { credential: null, state: 'locked' }, now)).toBe(lane);
});
