import { expect, test } from 'vitest';
import { observeLife } from './observe.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const day = 86_400_000;

// 14 days, or a fifth of a shorter life.
test.each<[string, number | null, number | null, string]>([
  ['no end', null, null, 'ok'],
  ['a year, 15 days left', now - 350 * day, now + 15 * day, 'ok'],
  ['a year, 14 days left', now - 351 * day, now + 14 * day, 'warning'],
  ['ten days, three left', now - 7 * day, now + 3 * day, 'ok'],
  ['ten days, two left', now - 8 * day, now + 2 * day, 'warning'],
  ['an hour, half of it left', now - day / 48, now + day / 48, 'ok'],
  ['nobody knows since when, ten days left', null, now + 10 * day, 'warning'],
])('%s', (_, issuedAt, expiresAt, level) => {
  const found = observeLife('account.token', 'the token of bot', { issuedAt, expiresAt }, now, 'set another');
  expect(found).toMatchObject({ level, hint: level === 'ok' ? null : 'set another' });
});
