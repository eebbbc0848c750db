import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Disposables } from '../../main/base/disposables.ts';
import { createCa, issueServerCertificate } from './certificates.ts';
import { codePage, confirmPage, consentPage, loginPage, problemPage } from './openid/pages.ts';
import { createRelyingParty } from './openid/relying-party.ts';
import { fingerprint, type OpenIdProviderOptions, startOpenIdProvider } from './openid-provider.ts';

describe('the OpenID provider of the tests', () => {
  let opened: Disposables;
  beforeEach(() => {
    opened = new Disposables();
  });
  afterEach(() => opened.dispose());

  async function setUp(options: OpenIdProviderOptions = {}) {
    // ES256 makes keys at once; RS256 is shown where kubectl is used.
    const provider = opened.add(await startOpenIdProvider({ algorithm: 'ES256', ...options }));
    return { provider, party: opened.add(createRelyingParty(provider)) };
  }

  it('logs a user in through its pages, with their claims in the id token', async () => {
    const bob = { name: 'Bob <b>', email: 'bob@example.org', groups: ['ops'] };
    const { provider, party } = await setUp({ identities: { bob } });
    const tokens = await party.logIn({ login: 'bob' });
    expect(tokens.claims).toMatchObject({ sub: 'bob', ...bob, iss: provider.issuer, aud: provider.clientId });
    expect(provider.counts.requests.device_authorization).toBe(1);
    expect(provider.counts.tokenRequests.device_code).toBe(1);
  });

  it('speaks plain http and gives JWT access tokens where it is told to', async () => {
    const { provider, party } = await setUp({ tls: null, accessToken: 'jwt' });
    expect(provider.issuer).toMatch(/^http:/);
    const { accessToken } = await party.logIn();
    expect(JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      sub: 'alice',
      aud: provider.clientId,
      groups: ['developers'],
    });
  });

  it('says no where the user does, at the code or at the consent', async () => {
    const { provider, party } = await setUp();
    for (const say of ['denyDevice', 'refuseConsent'] as const) {
      const started = await party.startDeviceLogin();
      await provider.person[say](started.user_code);
      await expect(party.finishDeviceLogin(started)).rejects.toMatchObject({ error: 'access_denied' });
    }
  });

  it('lets device codes run out', async () => {
    const { provider, party } = await setUp();
    const started = await party.startDeviceLogin();
    provider.expireDeviceCodes();
    await expect(party.finishDeviceLogin(started)).rejects.toMatchObject({ error: 'expired_token' });
    await expect(provider.person.approveDevice(started.user_code)).rejects.toThrow('expired');
  });

  it('rotates refresh tokens, and a second use ends the family', async () => {
    const { provider, party } = await setUp();
    const first = await party.logIn();
    const second = await party.refresh(first.refreshToken);
    expect(second.idToken).not.toBe(first.idToken);
    await expect(party.refresh(first.refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(party.refresh(second.refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(provider.refreshes).toMatchObject([
      {
        presented: fingerprint(first.refreshToken),
        issued: fingerprint(second.refreshToken),
        status: 200,
        error: null,
        sentAt: expect.any(Number),
      },
      { presented: fingerprint(first.refreshToken), issued: null, error: 'invalid_grant' },
      { presented: fingerprint(second.refreshToken), issued: null, error: 'invalid_grant' },
    ]);
  });

  it('revokes what was granted', async () => {
    const { provider, party } = await setUp();
    for (const revoke of ['revokeGrant', 'revokeRefreshTokens'] as const) {
      const { refreshToken } = await party.logIn();
      expect(provider[revoke]('somebody-else')).toBe(0);
      expect(provider[revoke]('alice')).toBeGreaterThan(0);
      await expect(party.refresh(refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    }
  });

  it('issues what lives as long as it is told at the time', async () => {
    const { provider, party } = await setUp();
    provider.lifetimes.idTokenSeconds = 7;
    const { claims, refreshToken } = await party.logIn();
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(7);
    provider.lifetimes.idTokenSeconds = 90;
    const later = await party.refresh(refreshToken);
    expect(Number(later.claims['exp']) - Number(later.claims['iat'])).toBe(90);
  });

  it('rotates its keys, over the same logins', async () => {
    const { provider, party } = await setUp();
    const { refreshToken } = await party.logIn();
    await provider.rotateKeys({ keepOld: false });
    const fresh = opened.add(createRelyingParty(provider));
    expect((await fresh.refresh(refreshToken)).claims['sub']).toBe('alice');
  });

  describe('misbehaves on request', () => {
    it.each([
      [{ kind: 'down' }, /fetch failed/],
      [{ kind: 'html' }, /unexpected response content-type|not valid/i],
      [{ kind: 'status', status: 503, retryAfterSeconds: 9 }, /unexpected HTTP response status code/],
      [{ kind: 'wrongIssuer' }, /issuer/i],
      [{ kind: 'truncated' }, /terminated|fetch failed/],
    ] as const)('%o at discovery', async (fault, message) => {
      const { provider, party } = await setUp();
      provider.setFault('discovery', fault);
      await expect(party.discover()).rejects.toThrow(message);
      provider.clearFaults();
      expect((await party.discover()).serverMetadata().issuer).toBe(provider.issuer);
    });

    it.each([
      [{ kind: 'wrongIssuer' }, /iss/],
      [{ kind: 'unknownKey' }, /key|JWK/i],
      [{ kind: 'unknownKey', sameKeyId: true }, /signature/i],
      [{ kind: 'oauthError', error: 'temporarily_unavailable' }, /.*/],
      [{ kind: 'truncated' }, /terminated|fetch failed/],
    ] as const)('%o at a refresh', async (fault, message) => {
      const { provider, party } = await setUp();
      const { refreshToken } = await party.logIn();
      provider.setFault('token', fault);
      const failure = await party.refresh(refreshToken).then(
        () => null,
        (error: Error) => error,
      );
      expect([failure?.message, (failure?.cause as Error | undefined)?.message].join(' ')).toMatch(message);
    });

    it('is slow before the work, or after it, until the client gives up', async () => {
      const { provider, party } = await setUp();
      const { refreshToken } = await party.logIn();
      for (const [when, handled] of [
        ['before', 0],
        ['after', 1],
      ] as const) {
        provider.setFault('token', { kind: 'slow', milliseconds: 30_000, when });
        const givingUp = createRelyingParty(provider);
        const refreshed = givingUp.refresh(refreshToken);
        refreshed.catch(() => undefined);
        await expect.poll(() => provider.counts.requests.token).toBeGreaterThan(1 + handled);
        if (when === 'after') {
          await expect.poll(() => provider.refreshes.length).toBe(1);
        }
        await givingUp.dispose();
        await expect(refreshed).rejects.toThrow();
      }
      expect(provider.refreshes).toMatchObject([{ status: 200, sentAt: null }]);
    });

    it('sends without an end', async () => {
      const { provider } = await setUp({ tls: null });
      provider.setFault('all', { kind: 'huge' });
      const response = await fetch(`${provider.issuer}/.well-known/openid-configuration`);
      let bytes = 0;
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        if (bytes > 20_000_000) {
          break;
        }
      }
      expect(bytes).toBeGreaterThan(20_000_000);
    });

    it('is down, rejects connections, and comes back at the same address', async () => {
      const { provider, party } = await setUp();
      provider.setFault('all', { kind: 'down' });
      await expect(party.discover()).rejects.toThrow('fetch failed');
      provider.clearFaults();
      await provider.stopListening();
      const refused = await party.discover().then(
        () => null,
        (error: Error) => error,
      );
      expect(JSON.stringify(refused, ['cause', 'code'])).toContain('ECONNREFUSED');
      await provider.resumeListening();
      expect((await party.discover()).serverMetadata().issuer).toBe(provider.issuer);
    });

    it('shows an unknown certificate', async () => {
      const { provider, party } = await setUp();
      provider.useCertificate(await issueServerCertificate(await createCa('unknown')));
      await expect(party.discover()).rejects.toThrow('fetch failed');
    });
  });

  it('keeps two providers apart', async () => {
    const one = await setUp();
    const two = await setUp();
    const { refreshToken } = await one.party.logIn();
    await expect(two.party.refresh(refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(one.provider.refreshes).toHaveLength(0);
  });

  it('escapes what it shows', () => {
    const nasty = `"><img src=x onerror='a()'>&`;
    const shown = [
      codePage('', nasty),
      confirmPage('', nasty, nasty),
      loginPage(nasty, nasty, nasty),
      consentPage(nasty, nasty, nasty, [nasty]),
      problemPage(nasty, nasty),
    ];
    for (const html of shown) {
      expect(html).not.toContain('<img');
      expect(html).toContain('&lt;img src=x onerror=&#39;a()&#39;&gt;&amp;');
    }
  });
});
