import { expect, it } from 'vitest';
import { createCallTally } from './call-tally.ts';

const now = 1_800_000_000_000;
const minute = 60_000;
const good = { outcome: 'handedOut', reason: 'held', microseconds: 1000 } as const;

it('has nothing to say before the first call', () => {
  expect(createCallTally().read(now)).toEqual({
    callsThisHour: 0,
    failedThisHour: 0,
    medianMicroseconds: null,
    failedShare24h: null,
  });
});

it('counts the hour and the day that end now, and forgets what is older', () => {
  const tally = createCallTally();
  for (const age of [0, 59, 61, 1_439, 1_441]) {
    tally.note({ ...good, at: now - age * minute });
  }
  tally.note({ at: now - 90 * minute, outcome: 'refused', reason: 'oidc.unreachable', microseconds: 5 });
  expect(tally.read(now)).toMatchObject({ callsThisHour: 2, failedThisHour: 0, failedShare24h: 1 / 5 });
  expect(tally.read(now + 1_440 * minute)).toMatchObject({ callsThisHour: 0, failedShare24h: null });
});

it('counts as failed an error, not what the user or a rule denied', () => {
  const tally = createCallTally();
  for (const reason of ['approval.denied', 'binding.held', 'oidc.token.status']) {
    tally.note({ at: now, outcome: 'refused', reason, microseconds: 5 });
  }
  expect(tally.read(now)).toMatchObject({ callsThisHour: 3, failedThisHour: 1 });
});

it('takes the median of this hour’s answers from the cache', () => {
  const tally = createCallTally();
  tally.note({ ...good, at: now - 61 * minute, microseconds: 9_000_000 });
  for (const microseconds of [1100, 900, 1000]) {
    tally.note({ ...good, at: now, microseconds });
  }
  tally.note({ ...good, at: now, reason: 'renewed', microseconds: 700_000 });
  expect(tally.read(now).medianMicroseconds).toBe(1000);
});

it('counts the same whether a day comes in order or late', () => {
  const tally = createCallTally();
  tally.note({ ...good, at: now });
  tally.note({ ...good, at: now - 3 * minute });
  tally.note({ ...good, at: now - 1_440 * minute });
  expect(tally.read(now)).toMatchObject({ callsThisHour: 2, failedShare24h: 0 });
});
