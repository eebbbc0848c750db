import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Disposables } from '../../../main/base/disposables.ts';
import { startOpenIdProvider } from '../openid-provider.ts';
import type { ProviderProfile } from './profile.ts';
import { auth0, dex, entra, google, keycloak, okta } from './profiles.ts';
import { createRelyingParty } from './relying-party.ts';

let opened: Disposables;
beforeEach(() => {
  opened = new Disposables();
});
afterEach(() => opened.dispose());

async function setUp(profile: ProviderProfile) {
  const provider = opened.add(await startOpenIdProvider({ algorithm: 'ES256', profile }));
  const party = opened.add(createRelyingParty(provider));
  const metadata = async () => (await party.discover()).serverMetadata();
  return { provider, party, metadata };
}

const codeParameters = (profile: ProviderProfile) =>
  profile === google ? { scope: 'openid email', access_type: 'offline' } : {};

describe('a provider with a profile', () => {
  test.each([dex, keycloak, okta, entra, google, auth0])(
    '$name: says what it has, where the vendor has it, and logs a user in there by code',
    async (profile) => {
      const { provider, party, metadata } = await setUp(profile);
      expect(provider.issuer.endsWith(profile.issuerPath)).toBe(true);
      const known = await metadata();
      expect(known.issuer).toBe(provider.issuer);
      const origin = new URL(provider.issuer).origin;
      const at = (path: string | null) => (path === null ? undefined : `${origin}${path}`);
      const { paths, announces } = profile;
      expect([known.token_endpoint, known.authorization_endpoint, known.jwks_uri]).toEqual([
        at(paths.token),
        at(paths.authorization),
        at(paths.jwks),
      ]);
      expect(known.revocation_endpoint).toBe(at(paths.revocation));
      expect(known.end_session_endpoint).toBe(at(paths.endSession));
      expect(known.device_authorization_endpoint).toBe(at(paths.deviceAuthorization));
      expect(known.token_endpoint_auth_methods_supported).toEqual(announces.authMethods);
      expect(known.authorization_response_iss_parameter_supported ?? false).toBe(announces.issParameter);
      expect(known.code_challenge_methods_supported !== undefined).toBe(announces.pkce);

      const tokens = await party.logInWithCode({}, codeParameters(profile));
      expect(tokens.claims).toMatchObject({ iss: provider.issuer, aud: provider.clientId });
      expect(tokens.accessToken.split('.')).toHaveLength(profile.accessToken === 'jwt' ? 3 : 1);
      expect(tokens.refreshToken).not.toBe('');
      const renewed = await party.refresh(tokens.refreshToken);
      expect(renewed.claims['sub']).toBe(tokens.claims['sub']);
      expect(renewed.refreshToken !== '' && renewed.refreshToken !== tokens.refreshToken).toBe(
        profile.rotates,
      );
    },
  );

  test('Google: a refresh token for access_type=offline at the first consent, later with prompt=consent', async () => {
    const { party } = await setUp(google);
    const scope = 'openid email';
    const given = async (parameters: Record<string, string>) =>
      (await party.logInWithCode({}, { scope, ...parameters })).refreshToken !== '';
    expect(await given({ prompt: 'login' })).toBe(false);
    expect(await given({ access_type: 'offline', prompt: 'login' })).toBe(false);
    expect(await given({ access_type: 'offline', prompt: 'consent' })).toBe(true);
    expect(await given({ prompt: 'consent' })).toBe(false);
  });

  test('Google: denies offline_access on its own page, and goes nowhere from there', async () => {
    const { provider, metadata } = await setUp(google);
    const address = new URL((await metadata()).authorization_endpoint ?? '');
    address.search = new URLSearchParams({ scope: 'openid offline_access' }).toString();
    const last = await provider.person.open(address.href);
    expect(last).toMatchObject({ status: 400, redirects: [] });
    expect(last.html).toContain('invalid_scope');
  });

  test.each<[ProviderProfile, 'within' | 'after', object | null]>([
    [okta, 'within', null],
    [
      okta,
      'after',
      { error: 'invalid_grant', error_description: 'The refresh token is invalid or expired.' },
    ],
    [dex, 'within', null],
    [dex, 'after', { error: 'invalid_request', error_description: expect.stringContaining('claimed') }],
    [auth0, 'within', null],
    [auth0, 'after', { error: 'invalid_grant', status: 403 }],
    [keycloak, 'after', { error: 'invalid_grant', error_description: expect.stringContaining('reuse') }],
    [entra, 'after', null],
    [google, 'after', null],
  ])('$name: a used refresh token, %s the grace', async (profile, when, refusal) => {
    const { provider, party } = await setUp(profile);
    const first = await party.logInWithCode({}, codeParameters(profile));
    const second = await party.refresh(first.refreshToken);
    if (when === 'after') {
      provider.reuse = { ...provider.reuse, graceSeconds: 0 };
    }
    const again = party.refresh(first.refreshToken);
    if (refusal === null) {
      expect((await again).idToken).not.toBe('');
      return;
    }
    await expect(again).rejects.toMatchObject(refusal);
    // What came of the first use: gone with the whole login, or good still.
    const next = party.refresh(second.refreshToken);
    await (profile.reuse.after === 'family'
      ? expect(next).rejects.toMatchObject({ error: 'invalid_grant' })
      : expect(next).resolves.toBeDefined());
  });
});
