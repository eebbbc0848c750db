import { expect, test } from 'vitest';
import { shownSteps } from '../../domain/proxy/shown-steps.ts';
import { attempt, triedRequest, triedStep } from '../../domain/testing/a-tried-request.ts';
import { shortText, tryLegs } from './try-legs.ts';

const shown = (tried: ReturnType<typeof triedRequest>) => ({
  ...tried,
  attempts: tried.attempts.map((each) => ({ ...each, steps: shownSteps(each.steps, '', []) })),
});

test('the legs follow each other, and add up to the whole', () => {
  const twice = triedRequest({
    attempts: [
      attempt({ status: 401, steps: [triedStep('set')] }),
      attempt({ why: 'rejected', chainMicroseconds: 700, answeredMicroseconds: 900 }),
    ],
    totalMicroseconds: 7_000,
  });
  const legs = tryLegs(shown(twice));
  expect(legs.map(({ kind, from, microseconds }) => [kind, from, microseconds])).toEqual([
    ['credentials', 0, 100],
    ['step', 100, 10],
    ['connection', 110, 3_000],
    ['answer', 3_110, 2_000],
    ['credentials', 5_110, 700],
    ['answer', 5_810, 900],
    ['rest', 6_710, 290],
  ]);
});

test('a kept connection has no leg, and what never came is the rest', () => {
  const kept = triedRequest({ connectedMicroseconds: null });
  expect(tryLegs(shown(kept)).map(({ kind }) => kind)).toEqual(['credentials', 'answer', 'rest']);
  const none = attempt({ status: null, answeredMicroseconds: null, chainMicroseconds: 0 });
  expect(tryLegs(shown(triedRequest({ attempts: [none], answer: null, fault: 'no answer' })))).toEqual([
    { kind: 'rest', hasAnswer: false, from: 0, microseconds: 6_000 },
  ]);
});

test('a time is short', () => {
  expect([0, 38, 999, 1_000, 42_000].map(shortText)).toEqual(['0 µs', '38 µs', '999 µs', '1.0 ms', '42 ms']);
});
