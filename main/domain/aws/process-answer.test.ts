import { expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { readProcessAnswer } from './process-answer.ts';

const good = { Version: 1, AccessKeyId: 'ASIAEXAMPLE', SecretAccessKey: 'canary-key' };
const read = (value: unknown) =>
  readProcessAnswer(new Secret(typeof value === 'string' ? value : JSON.stringify(value)));

test('keys, with a session and an end or without', () => {
  const plain = read(good);
  const keys = { accessKeyId: 'ASIAEXAMPLE', sessionToken: null };
  expect(plain).toMatchObject({ ok: true, expiresAt: null, keys });
  expect(plain.ok && plain.keys.secretAccessKey.reveal()).toBe('canary-key');
  const more = { SessionToken: 'canary-token', Expiration: '2026-11-23T12:00:00+00:00', AccountId: '1' };
  const session = read({ ...good, ...more });
  expect(session.ok && session.keys.sessionToken?.reveal()).toBe('canary-token');
  expect(session.ok && session.expiresAt).toBe(Date.UTC(2026, 10, 23, 12));
  expect(read({ ...good, SessionToken: null, Expiration: null })).toMatchObject({ expiresAt: null });
});

test.each<[unknown, string]>([
  ['canary', 'returned no JSON'],
  ['', 'returned no JSON'],
  ['["canary"]', 'returned JSON that is no object'],
  [{ ...good, Version: 2 }, 'returned another Version than 1'],
  [{ AccessKeyId: 'canary' }, 'returned another Version than 1'],
  [{ Version: 1, AccessKeyId: 'A' }, 'returned no usable SecretAccessKey'],
  [{ ...good, AccessKeyId: 'a canary\n' }, 'returned no usable AccessKeyId'],
  [{ ...good, SessionToken: 'canary\r\nX: y' }, 'returned no usable SessionToken'],
  [{ ...good, Expiration: 'canary' }, 'returned no usable Expiration'],
  [{ ...good, Expiration: 1_700_000_000 }, 'returned no usable Expiration'],
])('%j is refused, and nothing of it is repeated', (value, fault) => {
  expect(read(value)).toEqual({ ok: false, fault });
});
