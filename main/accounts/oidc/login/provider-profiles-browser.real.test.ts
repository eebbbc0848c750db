import { afterAll, describe, expect, test } from 'vitest';
import type { ProviderProfile } from '../../../../test/support/openid/profile.ts';
import { auth0, dex, entra, google, keycloak, okta } from '../../../../test/support/openid/profiles.ts';
import { startOpenIdProvider } from '../../../../test/support/openid-provider.ts';
import { Disposables } from '../../../base/disposables.ts';
import { createOidcBench } from '../../testing/oidc-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';

const opened = new Disposables();
afterAll(() => opened.dispose());

/** A login in a browser at a provider that behaves like `profile`; the account as its owner would write it. */
async function open(profile: ProviderProfile, extraParams: Record<string, string>) {
  const provider = opened.add(await startOpenIdProvider({ profile }));
  const scopes = ['openid', 'offline_access', 'email', 'profile', 'groups'];
  const bench = createOidcBench(createOidcAccount, provider, {
    config: {
      flow: 'browser',
      scopes: scopes.filter((scope) => !profile.refusedScopes.includes(scope)),
      extraParams,
    },
    browser: {
      finds: async () => true,
      available: () => true,
      open: async (address) => {
        provider.person.logInAt(address).catch(() => undefined);
        return true;
      },
    },
  });
  return { provider, bench };
}

const consent = { prompt: 'consent' };
const rows: [name: string, profile: ProviderProfile, extraParams: Record<string, string>][] = [
  ['dex', dex, consent],
  ['keycloak', keycloak, {}],
  ['okta', okta, consent],
  ['entra', entra, consent],
  ['google', google, { access_type: 'offline', ...consent }],
  ['auth0', auth0, consent],
];

describe('a browser login', () => {
  test.each(rows)('%s: logs in, renews twice, and needs no note', async (_name, profile, extraParams) => {
    const { provider, bench } = await open(profile, extraParams);
    expect(await bench.login()).toMatchObject({
      ok: true,
      flow: 'browser',
      issuer: provider.issuer,
      note: null,
    });
    const { subject } = bench.session();
    for (const generation of [2, 3]) {
      expect(await bench.renew()).toMatchObject({ ok: true });
      expect(bench.session()).toMatchObject({ generation, subject, intent: null });
    }
  });
});

describe('a logout', () => {
  test.each(rows)(
    '%s: takes the login back where it can, and names its page',
    async (_name, profile, params) => {
      const { provider, bench } = await open(profile, params);
      await bench.login();
      const { revocation, endSession } = profile.paths;
      const loggedOut = await bench.account.logout();
      expect(loggedOut).toMatchObject({
        hadSession: true,
        revocation: revocation === null ? 'notOffered' : 'revoked',
      });
      const page = loggedOut.endSessionUrl;
      expect(page === null ? null : new URL(page).pathname).toBe(endSession);
      expect(provider.counts.requests.revocation > 0).toBe(revocation !== null);
      expect(await bench.account.current()).toBeNull();
    },
  );
});
