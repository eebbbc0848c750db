import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { parseUrl } from '../../../contract/parse-url.ts';
import { registeredAddress } from '../../../domain/login/redirect-address.ts';
import type { Provider, ProviderPage } from '../provider/provider.ts';

/** The user sees the login page's address after this time, at the latest. */
const probeMilliseconds = 3_000;

/** Parameters of the address that belong to one login: what the provider gives for the probe is good for nothing. */
const ofOneLogin: Readonly<Record<string, () => string>> = {
  state: randomState,
  nonce: randomNonce,
  // As long as a challenge, and derived from no known verifier.
  code_challenge: randomPKCECodeVerifier,
};

/**
 * A provider that doesn't know the redirect address says so on a page in the browser, and never calls back. So the
 * login page is asked for once, without cookies and without following where it leads. What is wrong, with what helps;
 * null: nothing is, or the page doesn't tell.
 */
export async function probePage(
  url: string,
  of: { config: OidcAccountConfig; provider: Pick<Provider, 'host' | 'readPage'>; redirectUri: string },
  signal: AbortSignal,
): Promise<string | null> {
  const address = new URL(url);
  for (const [name, make] of Object.entries(ofOneLogin)) {
    address.searchParams.set(name, make());
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(probeMilliseconds)]);
  const page = await of.provider.readPage(address.href, limit);
  return page && isRedirectRefused(page)
    ? `${of.provider.host} seems not to know the redirect URI ${of.redirectUri} of this login: register ${registeredAddress(of.config)} there for the client ${of.config.clientId}, or set redirectUri of the account to one that is registered`
    : null;
}

/**
 * Keycloak, Dex, Okta, Spring and oidc-provider name the parameter; Auth0, Entra ID and Google have their own words.
 */
export function isRedirectRefused({ status, text, location }: ProviderPage): boolean {
  return (
    /AADSTS50011/.test(text) ||
    (status >= 400 && status < 500 && status !== 429 && /redirect[ _-]?ur[il]|callback url/i.test(text)) ||
    (location !== null && leadsToMismatch(location))
  );
}

/** Google leads to its page for errors, with the reason in the address: a field of a message (protobuf), in base64. */
function leadsToMismatch(location: string): boolean {
  const address = parseUrl(location, 'https://any.invalid');
  const said = Buffer.from(address?.searchParams.get('authError') ?? '', 'base64url');
  return said.includes('redirect_uri_mismatch');
}
