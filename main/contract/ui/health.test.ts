import { expect, it } from 'vitest';
import { type Health, healthOf } from './health.ts';
import type { ClusterView } from './state.ts';

const now = 1_800_000_000_000;
const minute = 60_000;

type Held = Partial<NonNullable<ClusterView['credential']>>;
const held = (more: Held): ClusterView['credential'] => ({
  kind: 'token',
  issuedAt: now - 10 * minute,
  expiresAt: now + 50 * minute,
  renewsAt: null,
  trouble: null,
  generation: 1,
  ...more,
});

const failed = 'could not be renewed';
/** A credential that ends after so many minutes, and is renewed after so many. */
const ends = (after: number, renews: number | null = null, trouble: string | null = null) =>
  held({
    expiresAt: now + after * minute,
    renewsAt: renews === null ? null : now + renews * minute,
    trouble,
  });
const table: [string, ClusterView['state'], ClusterView['credential'], string | null, Health][] = [
  ['life left, renewing by itself', 'ready', held({ renewsAt: now + 48 * minute }), null, 'good'],
  ['much life left, not renewing', 'ready', held({}), null, 'good'],
  ['no end', 'ready', held({ expiresAt: null }), null, 'good'],
  ['just outside the last quarter of an hour', 'ready', ends(15), null, 'good'],
  [
    'ends within it, and nobody has used it lately: it is renewed on demand',
    'ready',
    held({ expiresAt: now + 15 * minute - 1 }),
    null,
    'good',
  ],
  [
    'ends within it, and could not be renewed',
    'ready',
    held({ expiresAt: now + 15 * minute - 1, trouble: failed }),
    null,
    'soon',
  ],
  ['ends within it, and renews before', 'ready', ends(5, 3), null, 'good'],
  ['is being renewed', 'ready', held({ expiresAt: now + minute, renewsAt: now - 1000 }), null, 'good'],
  ['its renewal is overdue', 'ready', ends(1, -1), null, 'soon'],
  ['its next try comes after its end', 'ready', ends(1, 2), null, 'soon'],
  ['could not be renewed, expires soon', 'ready', ends(5, 1), failed, 'soon'],
  ['could not be renewed, and has long', 'ready', held({}), failed, 'good'],
  ['its renewal is overdue, and it has long', 'ready', ends(300, -1), null, 'soon'],
  ['its renewal failed, is tried again, and it has long', 'ready', ends(300, 5, failed), null, 'soon'],
  ['its renewal failed, and it ends in minutes', 'ready', ends(3, 1, failed), null, 'soon'],
  ['it was renewed in vain long before that was due', 'ready', ends(300, 298, failed), null, 'good'],
  ['ended, and fetched on demand', 'ready', held({ expiresAt: now }), null, 'idle'],
  ['ended, and could not be renewed', 'ready', held({ expiresAt: now - 1 }), failed, 'bad'],
  ['ended, and its renewal failed', 'ready', held({ expiresAt: now - 1, trouble: 'x' }), null, 'bad'],
  ['nothing held yet', 'ready', null, null, 'idle'],
  ['nothing held, and it fails', 'ready', null, 'could not be had', 'bad'],
  ['needs a login', 'loginNeeded', null, null, 'need'],
  ['needs a login, life left', 'loginNeeded', held({}), null, 'need'],
  ['was interrupted', 'interrupted', null, null, 'need'],
  ['has no secret', 'secretMissing', null, null, 'need'],
  ['waits for a word (rule: confirmed-binding)', 'held', held({}), null, 'need'],
  ['the server rejects it', 'rejecting', held({}), 'x', 'bad'],
  ['the plugin fails', 'failing', null, 'x', 'bad'],
  ['its account can’t be used', 'invalid', null, 'x', 'bad'],
  ['its account isn’t there', 'unknownAccount', null, 'x', 'bad'],
  ['Lanyard is locked', 'locked', held({}), null, 'locked'],
];

it.each(table)('%s', (_, state, credential, problem, expected) => {
  expect(healthOf({ state, kind: 'oidc', credential, problem, byHand: false }, now)).toBe(expected);
});

const day = 1_440 * minute;
/** A credential that was issued so many minutes ago, and ends after so many. */
const life = (past: number, left: number): Held => ({
  issuedAt: now - past * minute,
  expiresAt: now + left * minute,
});
it.each<[string, Held, Health]>([
  [
    'a year’s certificate in its last week',
    { issuedAt: now - 358 * day, expiresAt: now + 7 * day - 1 },
    'soon',
  ],
  ['a year’s certificate before that', { issuedAt: now - 350 * day, expiresAt: now + 8 * day }, 'good'],
  ['an hour’s token with ten minutes left', life(50, 10), 'soon'],
  ['a day’s token in its last tenth', life(22 * 60, 2 * 60), 'soon'],
  ['one of an unknown life in its last week', { issuedAt: null, expiresAt: now + 6 * day }, 'soon'],
  ['one that has ended', { expiresAt: now - 1 }, 'bad'],
])('what only a person replaces: %s', (_, credential, expected) => {
  for (const kind of ['clientCertificate', 'staticToken', 'pkcs11'] as const) {
    const cluster = { kind, credential: held(credential), problem: null, byHand: true };
    expect(healthOf({ state: 'ready', ...cluster }, now)).toBe(expected);
  }
});

it.each<[string, Held, Health]>([
  [
    'in its last quarter of an hour',
    { issuedAt: now - 46 * minute, expiresAt: now + 15 * minute - 1 },
    'soon',
  ],
  ['with an hour left', life(600, 60), 'good'],
  ['of ten minutes, just logged in', life(1, 9), 'good'],
  ['of ten minutes, in its second half', life(6, 4), 'soon'],
])('a login’s token that only a new login replaces, %s', (_, credential, expected) => {
  const problem = 'there is no refresh token';
  const cluster = { credential: held(credential), problem, byHand: true };
  expect(healthOf({ state: 'ready', kind: 'oidc', ...cluster }, now)).toBe(expected);
});
