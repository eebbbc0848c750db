import { expect, it } from 'vitest';
import { createCallTally } from './call-tally.ts';

const now = 1_800_000_000_000;
const minute = 60_000;
const good = { outcome: 'handedOut', reason: 'held', microseconds: 1000 } as const;
const none = { handedOut: 0, noCredential: 0, declined: 0, failed: 0 };

it('has nothing to say before the first call', () => {
  expect(createCallTally().read(now)).toEqual({ thisHour: none, medianMicroseconds: null });
});

it('counts the hour that ends now, and forgets what is older', () => {
  const tally = createCallTally();
  for (const age of [61, 60, 59, 0]) {
    tally.note({ ...good, at: now - age * minute });
  }
  tally.note({ at: now - 90 * minute, outcome: 'refused', reason: 'oidc.unreachable', microseconds: 5 });
  expect(tally.read(now).thisHour).toEqual({ ...none, handedOut: 2 });
  expect(tally.read(now + 60 * minute).thisHour).toEqual(none);
});

it('tells an error from what the user or a rule denied, and from an answer without a credential', () => {
  const tally = createCallTally();
  for (const reason of ['approval.denied', 'binding.held', 'oidc.token.status']) {
    tally.note({ at: now, outcome: 'refused', reason, microseconds: 5 });
  }
  tally.note({ at: now, outcome: 'noCredential', reason: 'renewed', microseconds: 5 });
  expect(tally.read(now).thisHour).toEqual({ handedOut: 0, noCredential: 1, declined: 2, failed: 1 });
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

it('counts the same whether an hour comes in order or late', () => {
  const tally = createCallTally();
  tally.note({ ...good, at: now });
  tally.note({ ...good, at: now - 3 * minute });
  tally.note({ ...good, at: now - 60 * minute });
  expect(tally.read(now).thisHour.handedOut).toBe(2);
});
