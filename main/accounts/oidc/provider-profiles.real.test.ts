import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderProfile } from '../../../test/support/openid/profile.ts';
import { changeProfile } from '../../../test/support/openid/profile.ts';
import {
  auth0,
  dex,
  entra,
  entraOverage,
  google,
  keycloak,
  okta,
} from '../../../test/support/openid/profiles.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../../test/support/openid-provider.ts';
import { Disposables } from '../../base/disposables.ts';
import { Secret } from '../../base/secret.ts';
import type { Obtained } from '../../ports/account.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createOidcBench, type OidcBenchOptions } from '../testing/oidc-bench.ts';
import { createOidcAccount } from './oidc-account.ts';

const vendors = [dex, keycloak, okta, entra, google, auth0];

/** One provider for each profile that a test asks for; they are kept to the end. */
const providers = new Map<string, OpenIdProvider>();
const opened = new Disposables();
afterAll(() => opened.dispose());

async function at(profile: ProviderProfile): Promise<OpenIdProvider> {
  const known = providers.get(profile.name);
  if (known) {
    return known;
  }
  const provider = opened.add(await startOpenIdProvider({ profile }));
  providers.set(profile.name, provider);
  return provider;
}

beforeAll(async () => {
  for (const profile of vendors) {
    await at(profile);
  }
});
beforeEach(() => {
  for (const provider of providers.values()) {
    provider.clearFaults();
  }
});

/** The account as its owner would write it for this vendor. */
function open(provider: OpenIdProvider, profile: ProviderProfile, options: OidcBenchOptions = {}) {
  const { id, secret } = provider.confidentialClient;
  const vault = profile.deviceNeedsSecret
    ? new FakeVault({ secrets: { corp: { clientSecret: new Secret(secret) } } })
    : new FakeVault();
  const scopes = ['openid', 'offline_access', 'email', 'profile', 'groups'].filter(
    (scope) => !profile.refusedScopes.includes(scope),
  );
  return createOidcBench(createOidcAccount, provider, {
    vault,
    ...options,
    config: { scopes, ...(profile.deviceNeedsSecret ? { clientId: id } : {}), ...options.config },
  });
}

async function loggedIn(profile: ProviderProfile, options: OidcBenchOptions = {}) {
  const provider = await at(profile);
  const bench = open(provider, profile, options);
  expect(await bench.login()).toMatchObject({ ok: true });
  return { provider, bench };
}

const byName = (profiles: readonly ProviderProfile[]): [string, ProviderProfile][] =>
  profiles.map((profile) => [profile.name, profile]);
const rowsByName = <Row extends [ProviderProfile, ...unknown[]]>(rows: readonly Row[]): [string, ...Row][] =>
  rows.map((row) => [row[0].name, ...row]);

const claimsOf = (found: Obtained | null): Record<string, unknown> => {
  const token = found?.ok ? found.credential.token?.reveal() : undefined;
  return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString() || '{}');
};

describe('a device login and its renewals', () => {
  test.each(byName(vendors))(
    '%s: logs in, renews twice, and stays the same person',
    async (_name, profile) => {
      const { provider, bench } = await loggedIn(profile);
      const first = bench.session();
      expect(first.issuer).toBe(provider.issuer);
      const used = new Set([first.refreshToken?.reveal()]);
      for (const generation of [2, 3]) {
        expect(await bench.renew()).toMatchObject({ ok: true });
        expect(bench.session()).toMatchObject({ generation, subject: first.subject, intent: null });
        used.add(bench.session().refreshToken?.reveal());
      }
      expect(used.has(undefined)).toBe(false);
      expect(used.size).toBe(profile.rotates ? 3 : 1);
      expect(bench.session().token?.value.reveal()).not.toBe(first.token?.value.reveal());
    },
  );

  test('the subject is the provider’s own name for the user, who is shown by another', async () => {
    for (const [profile, shown] of [
      [keycloak, 'alice'],
      [okta, 'alice@example.com'],
      [entra, 'alice@example.com'],
      [google, 'alice@example.com'],
    ] as const) {
      const { bench } = await loggedIn(profile);
      expect(await bench.account.state()).toMatchObject({ state: 'ready', subject: shown });
      expect(bench.session().subject).not.toContain('alice');
    }
  });

  test.each(
    rowsByName<[ProviderProfile, string, (value: unknown) => void]>([
      [dex, 'groups', (value) => expect(value).toEqual(['developers'])],
      [keycloak, 'groups', (value) => expect(value).toEqual(['/developers'])],
      [okta, 'groups', (value) => expect(value).toEqual(['Everyone', 'developers'])],
      [entra, 'groups', (value) => expect(value).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])],
      [entraOverage, 'groups', (value) => expect(value).toBeUndefined()],
      [entraOverage, '_claim_names', (value) => expect(value).toEqual({ groups: 'src1' })],
      [google, 'groups', (value) => expect(value).toBeUndefined()],
      [auth0, 'https://example.com/groups', (value) => expect(value).toEqual(['developers'])],
    ]),
  )(
    '%s: what the cluster reads of groups, at the login and after a renewal',
    async (_name, profile, claim, check) => {
      const { bench } = await loggedIn(profile);
      check(claimsOf(await bench.account.current())[claim]);
      check(claimsOf(await bench.renew())[claim]);
      check(bench.session().claims[claim]);
    },
  );

  test.each(byName(vendors))(
    '%s: token: access is issued, whether it can be read or not',
    async (_name, profile) => {
      const { bench } = await loggedIn(profile, { config: { token: 'access' } });
      const renewed = await bench.renew();
      const token = renewed.ok ? renewed.credential.token?.reveal() : '';
      expect(token?.split('.')).toHaveLength(profile.accessToken === 'jwt' ? 3 : 1);
      expect(renewed).toMatchObject({ credential: { expiresAt: expect.any(Number) } });
    },
  );
});

describe('a login without a refresh token', () => {
  test('keycloak gives one all the same, and it is used', async () => {
    const { bench } = await loggedIn(keycloak, { config: { scopes: ['openid'] } });
    expect((await bench.renew()).ok).toBe(true);
  });

  test('google refuses offline_access: its words, and that the account’s scopes are the place to look', async () => {
    const provider = await at(google);
    const bench = open(provider, google, { config: { scopes: ['openid', 'offline_access'] } });
    const outcome = await bench.login();
    expect(outcome).toMatchObject({
      ok: false,
      reason: 'provider',
      message: expect.stringContaining('invalid_scope: Some requested scopes were invalid'),
      hint: expect.stringContaining('scopes'),
    });
    expect(bench.vault.writes).toEqual([]);
  });

  test('a provider that never gives any', async () => {
    const profile = changeProfile(okta, { name: 'never', refreshToken: 'never' });
    const { bench } = await loggedIn(profile);
    expect(await bench.account.state()).toMatchObject({
      problem: expect.stringContaining('no refresh token'),
    });
  });
});

describe('an answer to a renewal that is lost on the way', () => {
  test.each(
    rowsByName<[ProviderProfile, 'goes on' | 'interrupted']>([
      [dex, 'goes on'],
      [okta, 'goes on'],
      [auth0, 'goes on'],
      [entra, 'goes on'],
      [google, 'goes on'],
      [keycloak, 'interrupted'],
    ]),
  )(
    '%s: the next renewal tries the old token once, and ends the login where there is no grace',
    async (_name, profile, then) => {
      const { provider, bench } = await loggedIn(profile);
      provider.setFault('token', { kind: 'resetAfterHandling' });
      expect(await bench.renew()).toMatchObject({ reason: 'provider', code: 'oidc.token.broken' });
      expect(bench.session().intent).not.toBeNull();
      provider.clearFaults();
      const next = await bench.renew();
      if (then === 'goes on') {
        expect(next).toMatchObject({ ok: true });
        expect(bench.session()).toMatchObject({ intent: null, interrupted: false });
        return;
      }
      expect(next).toMatchObject({ reason: 'loginNeeded', code: 'oidc.session.interrupted' });
      expect(bench.session()).toMatchObject({ interrupted: true, refreshToken: null });
    },
  );
});

describe('a login that the provider has ended', () => {
  test.each(
    rowsByName<[ProviderProfile, string]>([
      [dex, 'invalid_request: Refresh token is invalid or has already been claimed by another client.'],
      [keycloak, 'invalid_grant: Session not active'],
      [okta, 'invalid_grant: The refresh token is invalid or expired.'],
      [entra, 'invalid_grant: AADSTS50173: The provided grant has expired due to it being revoked'],
      [google, 'invalid_grant: Token has been expired or revoked.'],
      [auth0, 'invalid_grant: Unknown or invalid refresh token.'],
    ]),
  )('%s: a login is needed, in its own words', async (_name, profile, words) => {
    const { provider, bench } = await loggedIn(profile);
    expect(provider.revokeRefreshTokens('alice')).toBeGreaterThan(0);
    const ended = await bench.renew();
    expect(ended).toMatchObject({
      ok: false,
      reason: 'loginNeeded',
      code: 'oidc.session.ended',
      message: expect.stringContaining(words),
      // Dex keeps one refresh token per client and user: another program may have taken it.
      hint: expect.stringMatching(
        profile === dex ? /^lanyard login corp; .*kubelogin/ : /^lanyard login corp$/,
      ),
    });
  });

  test.each([
    ['Refresh token expired.', 'oidc.session.ended', false],
    ['Requested scopes contain unauthorized scope(s): ["x"].', 'oidc.token.error', true],
  ])('dex: whether invalid_request ends it goes by its words: %s', async (description, code, isKept) => {
    const { provider, bench } = await loggedIn(dex);
    provider.setFault('token', { kind: 'oauthError', error: 'invalid_request', description });
    expect(await bench.renew()).toMatchObject({ ok: false, code });
    expect(bench.session().refreshToken !== null).toBe(isKept);
  });

  test.each(['interaction_required', 'login_required', 'consent_required'])(
    'entra: a renewal that needs the user (%s) needs a login, in its words',
    async (error) => {
      const { provider, bench } = await loggedIn(entra);
      provider.setFault('token', {
        kind: 'oauthError',
        error,
        description:
          'AADSTS50076: Due to a configuration change you must use multi-factor authentication.\r\nTrace ID: 1',
      });
      expect(await bench.renew()).toMatchObject({
        reason: 'loginNeeded',
        code: 'oidc.session.interactionRequired',
        message: expect.stringContaining('multi-factor authentication. Trace ID: 1'),
        hint: 'lanyard login corp',
      });
    },
  );
});

describe('a device login that is not approved', () => {
  test.each(byName(vendors))('%s: a no is "denied", whatever it is called', async (_name, profile) => {
    const provider = await at(profile);
    const bench = open(provider, profile);
    expect(await bench.login('alice', (code) => provider.person.denyDevice(code))).toMatchObject({
      reason: 'denied',
      code: 'oidc.device.denied',
    });
    expect(bench.vault.writes).toEqual([]);
  });

  test.each(byName(vendors))(
    '%s: "pending" is waited through, whatever its status',
    async (_name, profile) => {
      const provider = await at(profile);
      const bench = open(provider, profile);
      const outcome = bench.login('alice', async (code) => {
        // The first poll comes before the user has approved, a later one after.
        const after = bench.clock.after.bind(bench.clock);
        let polls = 0;
        bench.clock.after = (milliseconds, run) => {
          polls += 1;
          return after(
            milliseconds,
            polls === 2 ? () => void provider.person.approveDevice(code).then(run) : run,
          );
        };
      });
      expect(await outcome).toMatchObject({ ok: true });
      expect(bench.clock.waits.length).toBeGreaterThan(1);
    },
  );

  test.each(byName(vendors))('%s: "slow down" slows down, whatever its status', async (_name, profile) => {
    const provider = await at(profile);
    const { slowDown } = profile.wordings;
    const bench = open(provider, profile);
    const outcome = await bench.login('alice', async (code) => {
      await provider.person.approveDevice(code);
      provider.setFault('token', {
        kind: 'oauthError',
        error: 'slow_down',
        ...(slowDown?.description ? { description: slowDown.description } : {}),
        ...(slowDown?.status ? { status: slowDown.status } : {}),
      });
      clearAtWait(bench, provider, 2);
    });
    expect(outcome).toMatchObject({ ok: true });
    expect(bench.clock.waits).toEqual([1000, 6000]);
  });

  test('auth0: too many requests are no reason to give up', async () => {
    const provider = await at(auth0);
    const bench = open(provider, auth0);
    const outcome = await bench.login('alice', async (code) => {
      await provider.person.approveDevice(code);
      provider.setFault('token', { kind: 'oauthError', error: 'too_many_requests', status: 429 });
      clearAtWait(bench, provider, 2);
    });
    expect(outcome).toMatchObject({ ok: true });
    expect(bench.clock.waits[1]).toBeGreaterThan(1000);
  });

  test.each(['expired_token', 'code_expired', 'bad_verification_code'])(
    'entra: %s is a code that ran out',
    async (error) => {
      const provider = await at(entra);
      const bench = open(provider, entra);
      const outcome = await bench.login('alice', async () =>
        provider.setFault('token', { kind: 'oauthError', error, description: 'AADSTS70020' }),
      );
      expect(outcome).toMatchObject({ reason: 'timedOut', code: 'oidc.device.expired' });
    },
  );

  test('google: without a secret it says so, and how to set one', async () => {
    const provider = await at(google);
    const bench = open(provider, google, { vault: new FakeVault(), config: { clientId: provider.clientId } });
    expect(await bench.login()).toMatchObject({
      reason: 'provider',
      message: expect.stringContaining('client_secret is missing.'),
      hint: expect.stringContaining('lanyard secret set corp/clientSecret'),
    });
  });
});

describe('a vendor’s own words for a refusal', () => {
  const noGrant = "Grant type 'refresh_token' not allowed for the client.";
  const rows = rowsByName<[ProviderProfile, number, string, string, string]>([
    [okta, 400, 'access_denied', 'Policy evaluation failed for this request.', 'administrator'],
    [auth0, 403, 'unauthorized_client', noGrant, 'client'],
    [keycloak, 401, 'invalid_client', 'Invalid client or Invalid client credentials', 'clientId'],
  ]);
  test.each(rows)('at a renewal: %s', async (_name, profile, status, error, description, hint) => {
    const { provider, bench } = await loggedIn(profile);
    provider.setFault('token', { kind: 'oauthError', status, error, description });
    expect(await bench.renew()).toMatchObject({
      ok: false,
      reason: 'provider',
      message: expect.stringContaining(`${error}: ${description}`),
      hint: expect.stringContaining(hint),
    });
    expect(bench.session()).toMatchObject({ intent: null });
    expect(bench.session().refreshToken).not.toBeNull();
  });

  test('auth0: 429 at a renewal says how long it wants to be left alone, and ends nothing', async () => {
    const { provider, bench } = await loggedIn(auth0);
    provider.setFault('token', { kind: 'status', status: 429, retryAfterSeconds: 17 });
    expect(await bench.renew()).toMatchObject({ reason: 'provider', retryAfterSeconds: 17 });
    expect(bench.session().refreshToken).not.toBeNull();
    provider.clearFaults();
    expect((await bench.renew()).ok).toBe(true);
  });
});

describe('answers that are a little off', () => {
  test('token: access without expires_in and opaque: no end is known, and none is made up', async () => {
    const profile = changeProfile(google, { name: 'no end', tokenAnswer: { expires_in: null } });
    const { bench } = await loggedIn(profile, { config: { token: 'access' } });
    expect(await bench.renew()).toMatchObject({ ok: true, credential: { expiresAt: null } });
  });

  test('renewals without an id token: the login stays, and the way out is said', async () => {
    const profile = changeProfile(okta, { name: 'no id token', refreshAnswer: { id_token: null } });
    const { bench } = await loggedIn(profile);
    const first = bench.session().refreshToken?.reveal();
    expect(await bench.renew()).toMatchObject({
      ok: false,
      code: 'oidc.refresh.noIdToken',
      hint: expect.stringContaining('token'),
    });
    expect(bench.session()).toMatchObject({ intent: null, interrupted: false });
    expect(bench.session().refreshToken?.reveal()).not.toBe(first);
    const other = await loggedIn(profile, { config: { token: 'access' } });
    expect((await other.bench.renew()).ok).toBe(true);
  });
});

function clearAtWait(bench: ReturnType<typeof open>, provider: OpenIdProvider, wait: number): void {
  const after = bench.clock.after.bind(bench.clock);
  bench.clock.after = (milliseconds, run) => {
    const timer = after(milliseconds, run);
    if (bench.clock.waits.length >= wait) {
      provider.clearFaults();
    }
    return timer;
  };
}
