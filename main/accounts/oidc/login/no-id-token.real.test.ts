import { beforeEach, describe, expect, test } from 'vitest';
import { hostileForFile } from '../../../../test/support/openid/for-file.ts';
import type { OidcBenchOptions } from '../../testing/oidc-bench.ts';

/**
 * A provider that sends no id token with a device code, as Spring Authorization Server: an access token that is a JWT,
 * and a userinfo endpoint that knows no session without an id token.
 */
const { hostile: provider, open, loggedIn } = await hostileForFile();

/** An access token of the provider as a JWT. */
const jwt = (claims: object, sign: 'true' | 'stranger' = 'true') =>
  provider.mint.idToken(
    { issuer: provider.issuer, clientId: 'api', accessToken: 'x' },
    { claims: { sub: 'alice', preferred_username: 'alice.liddell', ...claims }, sign },
  );

beforeEach(() => {
  provider.metadata = { userinfo_endpoint: `${provider.issuer}/userinfo` };
  provider.scripts.other = () => ({ status: 401, body: { error: 'invalid_token' } });
  provider.tokenFields = { id_token: null, access_token: jwt({}) };
});

const accessTokens = { config: { token: 'access' } } as const;
const revocations = () => provider.count('revocation');

describe('an account of access tokens', () => {
  test('takes the subject from the access token, signed by the provider', async () => {
    const bench = open(accessTokens);
    expect(await bench.login()).toMatchObject({ ok: true, subject: 'alice', displayName: 'alice.liddell' });
    expect(await bench.renew()).toMatchObject({ ok: true });
  });

  test('takes the subject from userinfo, before the token', async () => {
    provider.scripts.other = ({ headers }) =>
      /^Bearer \S+$/.test(headers.authorization ?? '')
        ? { body: { sub: 'carol', email: 'carol@example.com' } }
        : { status: 401, body: {} };
    expect(await open(accessTokens).login()).toMatchObject({
      ok: true,
      subject: 'carol',
      displayName: 'carol@example.com',
    });
  });

  test('is pinned to that person', async () => {
    const bench = await loggedIn(accessTokens);
    provider.tokenFields = { id_token: null, access_token: jwt({ sub: 'bob' }) };
    expect(await bench.login()).toMatchObject({ ok: false, code: 'oidc.subject.other' });
    expect(revocations()).toBe(1);
  });

  test.each<[string, () => string]>([
    ['of another issuer', () => jwt({ iss: 'https://a.example' })],
    ['that somebody else signed', () => jwt({}, 'stranger')],
    ['about nobody', () => jwt({ sub: ' ' })],
    ['that can’t be read', () => 'opaque'],
  ])('an access token %s says nothing: refused', async (_what, token) => {
    provider.tokenFields = { id_token: null, access_token: token() };
    await open(accessTokens).expectRefusedLogin('oidc.login.noSubject');
  });
});

describe('an account of id tokens: the hint names the cause', () => {
  test.each<[string, OidcBenchOptions['config'], RegExp]>([
    ['no scope openid', { scopes: ['email'] }, /^add openid to the scopes of corp$/],
    ['a device code', {}, /^lanyard login corp --browser; or set token of the account to access/],
  ])('%s', async (_what, config, hint) => {
    expect(await open(config ? { config } : {}).login()).toMatchObject({
      code: 'oidc.login.noIdToken',
      hint: expect.stringMatching(hint),
    });
  });

  test('what was issued for the same user is left alone, and for another user it is revoked', async () => {
    const bench = open();
    provider.tokenFields = {};
    await bench.login();
    provider.tokenFields = { id_token: null, access_token: jwt({}) };
    await bench.login();
    expect(revocations()).toBe(0);
    provider.tokenFields = { id_token: null, access_token: jwt({ sub: 'bob' }) };
    await bench.login();
    expect(revocations()).toBe(1);
  });
});
