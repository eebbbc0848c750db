import { describe, expect, it } from 'vitest';
import { assess, expirationForClient, type Life, remainingLife, renewalMargin } from './expiry.ts';

const minute = 60_000;
const hour = 60 * minute;
const born = Date.UTC(2026, 0, 1);
const seen = { wall: born, boottime: 5_000 };

function token(lifeMilliseconds: number): Life {
  return { kind: 'token', issuedAt: born, expiresAt: born + lifeMilliseconds };
}

/** Both clocks after the same time has passed. */
function later(milliseconds: number) {
  return { wall: seen.wall + milliseconds, boottime: seen.boottime + milliseconds };
}

describe('renewalMargin (rule: issued-while-good)', () => {
  it.each([
    ['a token of an hour: 60 s', token(hour), 60_000],
    ['a token of ten minutes: 60 s is just 10%', token(10 * minute), 60_000],
    ['a token of five minutes: 10%', token(5 * minute), 30_000],
    ['a token of 10 s: 1 s', token(10_000), 1_000],
    ['a certificate: 1% of its life', { ...token(100 * hour), kind: 'certificate' as const }, hour],
    ['no end: none', { kind: 'token' as const, issuedAt: born, expiresAt: null }, 0],
    [
      'no beginning: life counts from when it was first seen',
      { ...token(5 * minute), issuedAt: null },
      30_000,
    ],
  ])('%s', (_, life, margin) => {
    expect(renewalMargin(life, seen)).toBe(margin);
  });
});

describe('assess', () => {
  it.each([
    ['fresh', 0, 'good'],
    ['just before the margin', hour - 60_001, 'good'],
    ['in the margin', hour - 60_000, 'renewDue'],
    ['its last millisecond', hour - 1, 'renewDue'],
    ['at its end (KEP-541/valid-or-error)', hour, 'expired'],
    ['long after', 10 * hour, 'expired'],
  ] as const)('%s', (_, passed, expected) => {
    expect(assess(token(hour), seen, later(passed))).toBe(expected);
  });

  it('is not fooled by a wall clock that was set back', () => {
    expect(assess(token(hour), seen, { wall: born - hour, boottime: seen.boottime + hour })).toBe('expired');
  });

  it('counts time asleep, which the wall clock alone would miss when it is set back on wake', () => {
    expect(remainingLife(token(hour), seen, { wall: born, boottime: seen.boottime + 40 * minute })).toBe(
      20 * minute,
    );
  });

  it('believes a wall clock that was set forward', () => {
    expect(assess(token(hour), seen, { wall: born + 2 * hour, boottime: seen.boottime })).toBe('expired');
  });
});

describe('expirationForClient', () => {
  it('is the end less the margin, so that a client comes back when the broker renews', () => {
    expect(expirationForClient(token(hour), seen, later(0))).toBe(born + hour - 60_000);
  });

  it('is what a client reads in whole seconds: no end that it never heard of', () => {
    expect(expirationForClient(token(305_000), seen, later(0))).toBe(born + 274_000);
    expect(expirationForClient(token(305_000), seen, later(274_000))).toBe(born + 305_000);
  });

  it('is the true end inside the margin: an earlier one would already be past', () => {
    expect(expirationForClient(token(hour), seen, later(hour - 30_000))).toBe(born + hour);
  });

  it('is none where there is no end (KEP-541/expiry)', () => {
    expect(expirationForClient({ kind: 'token', issuedAt: null, expiresAt: null }, seen, seen)).toBeNull();
  });
});
