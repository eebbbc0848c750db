import { expect, it } from 'vitest';
import { laneText } from './lane-text.ts';

const hour = 3_600_000;
const now = new Date(2026, 2, 3, 10, 0).getTime();
const window = { since: now - 4 * hour, until: now + 4 * hour, now };
const nextYear = new Date(2027, 2, 3, 9, 0).getTime();

function textOf(
  expiresAt: number | null,
  more: { renewsAt?: number | null; mark?: 'login' | 'failed' | 'rejected' } = {},
) {
  const credential = {
    kind: 'token' as const,
    issuedAt: now - hour,
    expiresAt,
    renewsAt: more.renewsAt ?? null,
    trouble: null,
    generation: 1,
  };
  const marks = more.mark === undefined ? [] : [{ at: now - hour, kind: more.mark, words: '' }];
  const segments = [{ from: now - hour, until: expiresAt, current: true }];
  return laneText({ segments, marks }, { credential, state: 'ready' }, window);
}

it('draws a lane whose expiry or renewal is in sight', () => {
  expect(textOf(now + hour)).toBeNull();
  expect(textOf(nextYear, { renewsAt: now + hour })).toBeNull();
});

it('tells an expiry that is out of sight, with its day', () => {
  expect(textOf(nextYear)).toBe('Valid until 3 Mar 2027');
  expect(textOf(now + 30 * hour)).toBe('Valid until 4 Mar 16:00');
  expect(textOf(null)).toBe('Never expires');
  expect(textOf(nextYear, { renewsAt: now + 100 * hour, mark: 'login' })).toBe('Valid until 3 Mar 2027');
});

it('draws what went wrong, however long the credential lives', () => {
  expect(textOf(nextYear, { mark: 'rejected' })).toBeNull();
  expect(textOf(null, { mark: 'failed' })).toBeNull();
});

it('without a credential draws the past that is in sight, and says so where there is none', () => {
  const none = { credential: null, state: 'loginNeeded' } as const;
  const past = [{ from: now - 3 * hour, until: now - 2 * hour, current: false }];
  expect(laneText({ segments: past, marks: [] }, none, window)).toBeNull();
  expect(laneText({ segments: [], marks: [] }, none, window)).toBe('No cached credential');
  expect(laneText({ segments: [], marks: [] }, { ...none, state: 'locked' }, window)).toBe('');
});
