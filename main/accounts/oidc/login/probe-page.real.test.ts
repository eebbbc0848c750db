import { describe, expect, test } from 'vitest';
import { hostileForFile } from '../../../../test/support/openid/for-file.ts';
import type { HostileAnswer } from '../../../../test/support/openid/hostile.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../../../test/support/openid-provider.ts';
import { type BenchProvider, createOidcBench } from '../../testing/oidc-bench.ts';
import { createOidcAccount } from '../oidc-account.ts';
import { isRedirectRefused } from './probe-page.ts';

const { hostile: provider } = await hostileForFile();

/** The trouble that is shown with the page of a login that no one finishes. */
async function troubleAt(at: BenchProvider, redirectUri?: string): Promise<string | null> {
  const bench = createOidcBench(createOidcAccount, at, {
    config: { flow: 'browser', ...(redirectUri === undefined ? {} : { redirectUri }) },
  });
  bench.clock.gate = new Promise(() => undefined);
  const leaving = new AbortController();
  const shown = Promise.withResolvers<string | null>();
  const login = bench.account.login(
    { showBrowserPage: ({ trouble }) => shown.resolve(trouble), showDeviceCode: () => undefined },
    { flow: 'browser', atThisMachine: true },
    leaving.signal,
  );
  const trouble = await shown.promise;
  leaving.abort();
  expect(await login).toMatchObject({ code: 'oidc.cancelled' });
  return trouble;
}

test('an address that oidc-provider doesn’t know is named at once; one that it knows is not', async () => {
  const real: OpenIdProvider = await startOpenIdProvider();
  try {
    const trouble = await troubleAt(real, 'http://127.0.0.1/elsewhere');
    expect(trouble).toContain('http://127.0.0.1/elsewhere');
    expect(trouble).toContain('the client kubernetes');
    expect(await troubleAt(real)).toBeNull();
  } finally {
    await real.dispose();
  }
});

test('the provider is asked with nothing of the login: another state, nonce and challenge, and no cookie', async () => {
  await troubleAt(provider);
  const [probe] = provider.requests.filter(({ endpoint }) => endpoint === 'authorization');
  expect(probe?.query.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  expect(probe?.query.get('client_id')).toBe('kubernetes');
  expect(probe?.headers.cookie).toBeUndefined();
});

test.each<[string, () => HostileAnswer]>([
  ['fails', () => ({ status: 503, body: 'redirect_uri' })],
  ['ends the connection', () => (response) => response.destroy()],
  ['shows its login page', () => ({ body: '<input name=redirect_uri>' })],
])('a provider that %s is accused of nothing', async (_what, script) => {
  provider.scripts.authorization = script;
  expect(await troubleAt(provider)).toBeNull();
});

describe('vendors’ words for it', () => {
  test.each([
    ['Keycloak', 400, 'We are sorry... Invalid parameter: redirect_uri'],
    ['Dex', 400, 'Bad Request: Unregistered redirect_uri (&#34;http://127.0.0.1:4/&#34;).'],
    ['Spring', 400, '[invalid_request] OAuth 2.0 Parameter: redirect_uri'],
    ['Okta', 400, 'The &#39;redirect_uri&#39; parameter must be a Login redirect URI in the client app'],
    ['Auth0', 403, 'Callback URL mismatch.'],
    ['Entra ID', 200, 'AADSTS50011: The redirect URI specified in the request does not match'],
  ])('%s', (_vendor, status, text) => {
    expect(isRedirectRefused({ status, text, location: null })).toBe(true);
  });

  test.each([
    [400, 'Client not found.'],
    [302, 'redirect_uri'],
    [429, 'redirect_uri'],
  ])('%i %s is something else', (status, text) => {
    expect(isRedirectRefused({ status, text, location: null })).toBe(false);
  });

  /** As Google writes it: a message whose first field is the reason (protobuf), in base64. */
  const googlesPage = (reason: string) => {
    const said = Buffer.concat([Buffer.from([0x0a, reason.length]), Buffer.from(`${reason}\x12\x04More`)]);
    const query = new URLSearchParams({ authError: said.toString('base64url'), client_id: 'kubernetes' });
    return `/signin/oauth/error?${query}`;
  };

  test('Google leads to its own page, and names it in the address', async () => {
    const location = (to: string) => () => ({ status: 302, headers: { location: to }, body: '' });
    provider.scripts.authorization = location(`${provider.issuer}${googlesPage('redirect_uri_mismatch')}`);
    expect(await troubleAt(provider)).toContain('seems not to know the redirect URI');
    provider.scripts.authorization = location(googlesPage('redirect_uri_mismatch'));
    expect(await troubleAt(provider)).toContain('seems not to know the redirect URI');
    const others = [googlesPage('invalid_client'), '/signin?redirect_uri=http://127.0.0.1', 'http://[', ''];
    for (const other of others) {
      provider.scripts.authorization = location(other);
      expect(await troubleAt(provider)).toBeNull();
    }
    expect(provider.count('other')).toBe(0);
  });
});
