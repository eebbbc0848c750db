import { describe, expect, it } from 'vitest';
import type { Health } from './health.ts';
import { healthSentence, leftWords, remedyOf } from './health-words.ts';
import type { ClusterView } from './state.ts';

const now = new Date(2027, 4, 12, 13, 49).getTime();
const minute = 60_000;
const held = (more: object) => ({
  kind: 'token' as const,
  issuedAt: now - minute,
  expiresAt: now + 49 * minute,
  renewsAt: now + 42 * minute,
  trouble: null,
  generation: 1,
  ...more,
});
const cluster = (
  credential: ReturnType<typeof held> | null,
  state: 'ready' | 'loginNeeded' | 'rejecting' = 'ready',
) => ({
  state,
  kind: 'oidc' as const,
  credential,
  lastCall: null,
  byHand: false,
});
const byHand = (credential: ReturnType<typeof held>) => ({ ...cluster(credential), byHand: true });
const lastCall = {
  at: 0,
  program: 'kubectl',
  parent: null,
  outcome: 'handedOut',
  reason: 'held',
  microseconds: 1,
} as const;

describe('time left', () => {
  it.each([
    ['renews', cluster(held({})), 'good', '49 min', 'renews 14:31'],
    ['is being renewed', cluster(held({ renewsAt: now - 1 })), 'good', '49 min', 'renewing now'],
    ['its renewal failed', cluster(held({ trouble: 'x' })), 'soon', '49 min', 'renewal failed'],
    ['a try failed early', cluster(held({ trouble: 'x' })), 'good', '49 min', 'renews 14:31'],
    ['nobody asked lately', cluster(held({ renewsAt: null })), 'good', '49 min', 'renewed on demand'],
    ['the user renews', byHand(held({ renewsAt: null })), 'soon', '49 min', 'expires 14:38'],
    ['certificate', byHand(held({ renewsAt: null, kind: 'certificate' })), 'good', '49 min', 'certificate'],
    ['no end', cluster(held({ renewsAt: null, expiresAt: null })), 'good', 'never expires', 'token'],
    ['ended', cluster(held({ expiresAt: now - 1, renewsAt: null })), 'idle', 'expired', 'fetched on demand'],
    ['never asked', cluster(null), 'idle', 'never used', ''],
    ['asked, and forgotten', { ...cluster(null), lastCall }, 'idle', 'no credential', ''],
    ['needs a login', cluster(held({}), 'loginNeeded'), 'need', 'not logged in', ''],
    ['rejected', cluster(held({}), 'rejecting'), 'bad', 'rejected (401)', ''],
    ['locked', cluster(held({})), 'locked', 'locked', ''],
  ] as const)('%s', (_, of, how, large, small) => {
    expect(leftWords(of, how, now)).toEqual({ large, small });
  });
});

it('says in one sentence what becomes of it', () => {
  expect(healthSentence(cluster(held({})), 'good', now)).toBe('renews automatically at 14:31, expires 14:38');
  expect(healthSentence(cluster(held({ trouble: 'x' })), 'soon', now)).toBe(
    'could not be renewed; tried again at 14:31, expires 14:38',
  );
  expect(healthSentence(cluster(held({ trouble: 'x', renewsAt: null })), 'soon', now)).toBe(
    'could not be renewed; tried again when a program asks, expires 14:38',
  );
  expect(healthSentence(cluster(null), 'idle', now)).toBe(
    'never used: fetched automatically on the next request',
  );
});

it.each([
  ['oidc', 'expires 14:38; log in again then'],
  ['clientCertificate', 'expires 14:38; replace it before then'],
] as const)('promises no renewal that only a person can make: %s', (kind, words) => {
  const byHand = { ...cluster(held({ renewsAt: null })), kind, byHand: true };
  expect(healthSentence(byHand, 'good', now)).toBe(words);
});

it('knows what the user can do', () => {
  const remedy = (state: ClusterView['state'], how: Health, kind: ClusterView['kind'] = 'oidc') =>
    remedyOf({ state, kind }, how);
  expect(remedy('loginNeeded', 'need')).toBe('logIn');
  expect(remedy('interrupted', 'need')).toBe('logIn');
  expect(remedy('secretMissing', 'need')).toBe('setSecret');
  expect(remedy('held', 'need')).toBe('confirm');
  expect(remedy('rejecting', 'bad')).toBe('why');
  expect(remedy('ready', 'bad')).toBe('why');
  expect(remedy('ready', 'good')).toBeNull();
  expect(remedy('expired', 'need', 'clientCertificate')).toBe('setSecret');
  expect(remedy('expired', 'need', 'pkcs11')).toBe('why');
});

it('says of a token that it failed, and of a plugin, too', () => {
  const failing = (kind: ClusterView['kind']) => ({ ...cluster(null), state: 'failing' as const, kind });
  expect(leftWords(failing('pkcs11'), 'bad', now).large).toBe('token failed');
  expect(leftWords(failing('execPlugin'), 'bad', now).large).toBe('plugin failed');
});
