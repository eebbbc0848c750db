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

it('draws the cached credential as the history has it', () => {
  expect(laneOf(lane, { credential, state: 'ready' }, now)).toBe(lane);
});

it('draws the cached credential where the history doesn’t have it', () => {
  expect(laneOf(undefined, { credential, state: 'ready' }, now).segments).toEqual([
    { from: 900, until: 1_900, current: true },
  ]);
});

it('draws no cached credential where there is none, whatever the history has', () => {
  expect(laneOf(lane, { credential: null, state: 'ready' }, now).segments).toEqual([
    past,
    { from: 400, until: now, current: false },
  ]);
  const endless = { segments: [{ ...current, until: null }], marks: [] };
  expect(laneOf(endless, { credential: null, state: 'ready' }, now).segments[0]?.until).toBe(now);
});

it('leaves the lane as it is while Lanyard is locked, and shows nothing of what is cached', () => {
  expect(laneOf(lane, { credential: null, state: 'locked' }, now)).toBe(lane);
});
