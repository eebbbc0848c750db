import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Disposables } from '../../main/base/disposables.ts';
import { createRelyingParty } from './openid/relying-party.ts';
import { fingerprint, startOpenIdProvider } from './openid-provider.ts';

/** What the product’s tests rely on, and would not notice if it were otherwise. */
describe('the OpenID provider of the tests', () => {
  let opened: Disposables;
  beforeEach(() => {
    opened = new Disposables();
  });
  afterEach(() => opened.dispose());

  async function setUp() {
    // ES256 makes keys at once.
    const provider = opened.add(await startOpenIdProvider({ algorithm: 'ES256' }));
    return { provider, party: opened.add(createRelyingParty(provider)) };
  }

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

  it('keeps two providers apart', async () => {
    const one = await setUp();
    const two = await setUp();
    const { refreshToken } = await one.party.logIn();
    await expect(two.party.refresh(refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(one.provider.refreshes).toHaveLength(0);
  });
});
