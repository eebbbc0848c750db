import type { Config } from '../../contract/config/config.ts';

/**
 * Parameters that Lanyard itself sets in an authorization request: another value would weaken the login's protection.
 */
const reservedParams: Readonly<Record<string, string>> = {
  client_id: 'use clientId',
  client_secret: 'config.yaml holds no secrets',
  client_assertion: 'config.yaml holds no secrets',
  refresh_token: 'config.yaml holds no secrets',
  redirect_uri: 'use redirectUri',
  response_type: 'it is code',
  response_mode: 'it is query',
  scope: 'use scopes',
  login_hint: 'use loginHint',
  state: 'it is made for each login',
  nonce: 'it is made for each login',
  code_challenge: 'it is made for each login',
  code_challenge_method: 'it is S256',
  request: 'requests are not signed',
  request_uri: 'requests are not signed',
};

/** Why a name can't be in `extraParams`; null: it can. */
export function reservedParamFault(name: string): string | null {
  return Object.hasOwn(reservedParams, name) ? `is Lanyard’s own: ${reservedParams[name]}` : null;
}

/**
 * Accounts with the registered redirect URI of `first` at another issuer: without a separate path for each, one
 * provider's answer can be taken for another's (RFC 9700, 4.4.2.2). `isBare`: no path or port in it, as it is registered
 * for kubelogin. An import keeps it, since the provider takes no other; it says so once, and nothing warns of it later.
 */
export function sharedRedirects(
  accounts: Config['accounts'],
): { name: string; first: string; isBare: boolean }[] {
  const users = new Map<string, { first: string; issuer: string }>();
  return Object.entries(accounts).flatMap(([name, account]) => {
    if (!('oidc' in account) || account.oidc.redirectUri === undefined) {
      return [];
    }
    const { redirectUri, issuer } = account.oidc;
    // Any loopback host, with or without a final slash, leads to the same listener.
    const place = redirectUri.replace(/^http:\/\/(\[[^\]]*\]|[^/:]*)/, '').replace(/\/$/, '');
    const user = users.get(place);
    if (user === undefined) {
      users.set(place, { first: name, issuer });
      return [];
    }
    return user.issuer === issuer ? [] : [{ name, first: user.first, isBare: place === '' }];
  });
}
