import { describe, expect, test } from 'vitest';
import { providerForFile } from '../../../test/support/openid/for-file.ts';

const { provider, loggedIn } = await providerForFile();

describe('RFC 9700: what a discovery document says later gets nothing that the first would not have got', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'a token endpoint over http',
      { token_endpoint: 'http://id.example.com/token' },
      'oidc.token.insecureAddress',
    ],
    ['http on loopback', { token_endpoint: 'http://127.0.0.1:1/token' }, 'oidc.token.insecureAddress'],
    ['no token endpoint', { token_endpoint: undefined }, 'oidc.token.missingEndpoint'],
    ['another issuer', { issuer: 'https://other.example.com' }, 'oidc.issuer.mismatch'],
    ['an issuer with a slash more', { issuer: 'SAME/' }, 'oidc.issuer.mismatch'],
  ])('%s', async (_name, discovery, code) => {
    const bench = await loggedIn();
    const before = bench.session();
    const asked = provider.counts.requests.token;
    provider.setDiscovery(discovery['issuer'] === 'SAME/' ? { issuer: `${provider.issuer}/` } : discovery);
    bench.clock.advance(3_600_000);
    expect(await bench.renew()).toMatchObject({ ok: false, reason: 'provider', code });
    expect(bench.session()).toEqual(before);
    expect(provider.counts.requests.token).toBe(asked);
  });

  test('keys over http are not asked for, and the rotated refresh token is not lost', async () => {
    const bench = await loggedIn();
    const before = bench.session();
    provider.setDiscovery({ jwks_uri: 'http://id.example.com/jwks' });
    bench.clock.advance(3_600_000);
    expect(await bench.renew()).toMatchObject({ code: 'oidc.keys.insecureAddress' });
    expect(bench.session()).toMatchObject({ generation: 1, intent: null, token: before.token });
    expect(bench.session().refreshToken?.reveal()).not.toBe(before.refreshToken?.reveal());
  });
});
