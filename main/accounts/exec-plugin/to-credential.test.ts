import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import type { PluginAnswer } from './rules/read-answer.ts';
import { toCredential } from './to-credential.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const hour = 3_600_000;
const token = { token: new Secret('t'), certificate: null };
const pair = { token: null, certificate: { chainPem: 'c', keyPem: new Secret('k') } };

function kept(answer: Partial<PluginAnswer>, cacheSeconds?: number) {
  const nothing = { issuedAt: null, expirationTimestamp: null, ownExpiry: null, proxy: null };
  const whole = { ...token, ...nothing, ...answer };
  return toCredential(whole, { name: 'eks', now, cacheSeconds, clients: ['a', 'b'] });
}

describe('how long an answer is kept (KEP-541/caching)', () => {
  const read = { ownExpiry: now + hour };
  const promised = (hours: number) => ({ expirationTimestamp: now + hours * hour });
  const onlyFor = ['a', 'b'];
  test.each<[string, Partial<PluginAnswer>, credential: object, cacheSeconds?: number]>([
    ['until its expirationTimestamp, for all', promised(1), { expiresAt: now + hour, issuedAt: now }],
    ['a JWT’s own end changes nothing of it', { ...promised(2), ...read }, { expiresAt: now + 2 * hour }],
    [
      'a certificate’s own end does, where it is earlier (KEP-541/certificates)',
      { ...pair, ...promised(2), ...read },
      { expiresAt: now + hour },
    ],
    [
      'and not where it is later',
      { ...pair, ...promised(1), ownExpiry: now + 24 * hour },
      { expiresAt: now + hour },
    ],
    [
      'without one, for those who waited; the end that is read is no promise',
      read,
      { expiresAt: now + hour, noExpiry: { ownExpiry: now + hour, onlyFor } },
    ],
    ['without any, too', {}, { expiresAt: null, noExpiry: { ownExpiry: null, onlyFor } }],
    [
      'or as long as the account says, for all',
      {},
      { expiresAt: now + 600_000, issuedAt: now, noExpiry: { ownExpiry: null, onlyFor: null } },
      600,
    ],
    ['but not longer than it lives', { ownExpiry: now + 60_000 }, { expiresAt: now + 60_000 }, 600],
    ['nor shorter than is promised', promised(1), { expiresAt: now + hour }, 600],
  ])('%s', (_name, answer, credential, cacheSeconds) => {
    expect(kept(answer, cacheSeconds)).toMatchObject({ credential });
  });

  test.each([
    ['promised', { expirationTimestamp: now }],
    ['read', { ownExpiry: now - 1 }],
    ['of the certificate', { ...pair, expirationTimestamp: now + hour, ownExpiry: now - 1 }],
  ])('one that has ended is none (KEP-541/valid-or-error): %s', (_name, answer) => {
    expect(kept(answer)).toMatchObject({ ok: false, reason: 'provider', code: 'execPlugin.expired' });
  });
});

// KEP-2718/passed-on
test.each([
  ['with', { expirationTimestamp: now + hour }],
  ['without', {}],
])('a proxy goes along, %s an end', (_name, fields) => {
  const proxy = { url: 'unix:///s', certificateAuthorityPem: 'ca' };
  expect(kept({ token: null, proxy, ...fields })).toMatchObject({
    ok: true,
    credential: { token: null, certificate: null, proxyConfig: proxy },
  });
  expect(kept(fields)).not.toHaveProperty('credential.proxyConfig');
});
