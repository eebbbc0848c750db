import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import type { PluginAnswer } from './rules/read-answer.ts';
import { toCredential } from './to-credential.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const hour = 3_600_000;
const token = { token: new Secret('t'), certificate: null };
const pair = { token: null, certificate: { chainPem: 'c', keyPem: new Secret('k') } };

function kept(answer: Partial<PluginAnswer>, cacheSeconds?: number) {
  const whole = {
    ...token,
    issuedAt: null,
    expirationTimestamp: null,
    ownExpiry: null,
    proxy: null,
    ...answer,
  };
  return toCredential(whole, { name: 'eks', now, cacheSeconds, clients: ['a', 'b'] });
}

describe('how long an answer is kept (KEP-541/caching)', () => {
  test('until its expirationTimestamp, for all', () => {
    expect(kept({ expirationTimestamp: now + hour })).toMatchObject({
      credential: { expiresAt: now + hour, issuedAt: now },
    });
  });

  test('a JWT’s own end doesn’t change what was promised', () => {
    expect(kept({ expirationTimestamp: now + 2 * hour, ownExpiry: now + hour })).toMatchObject({
      credential: { expiresAt: now + 2 * hour },
    });
  });

  test('a certificate’s own end does, where it is earlier (KEP-541/certificates)', () => {
    expect(kept({ ...pair, expirationTimestamp: now + 2 * hour, ownExpiry: now + hour })).toMatchObject({
      credential: { expiresAt: now + hour },
    });
    expect(kept({ ...pair, expirationTimestamp: now + hour, ownExpiry: now + 24 * hour })).toMatchObject({
      credential: { expiresAt: now + hour },
    });
  });

  test('without one, for those who waited; the end that is read is no promise', () => {
    expect(kept({ ownExpiry: now + hour })).toMatchObject({
      credential: { expiresAt: now + hour, noExpiry: { ownExpiry: now + hour, onlyFor: ['a', 'b'] } },
    });
    expect(kept({})).toMatchObject({
      credential: { expiresAt: null, noExpiry: { ownExpiry: null, onlyFor: ['a', 'b'] } },
    });
  });

  test('or as long as the account says, for all, but not longer than it lives', () => {
    expect(kept({}, 600)).toMatchObject({
      credential: { expiresAt: now + 600_000, issuedAt: now, noExpiry: { ownExpiry: null, onlyFor: null } },
    });
    expect(kept({ ownExpiry: now + 60_000 }, 600)).toMatchObject({ credential: { expiresAt: now + 60_000 } });
    expect(kept({ expirationTimestamp: now + hour }, 600)).toMatchObject({
      credential: { expiresAt: now + hour },
    });
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
