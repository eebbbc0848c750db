import type { Secret } from '../../../base/secret.ts';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { pageAddress } from './page-address.ts';

export interface AuthorizationRequest {
  config: Pick<OidcAccountConfig, 'clientId' | 'scopes' | 'loginHint' | 'extraParams'>;
  redirectUri: string;
  state: Secret;
  nonce: Secret;
  /** S256 of the verifier (RFC 7636, 4.2), which stays here. */
  codeChallenge: string;
}

/**
 * The address of the provider's login page. Null: the endpoint may not be opened (rule: safe-addresses). It is shown
 * on terminals and in argv: its state lets only this login's provider answer, and is useless without the code, as the
 * code is without the verifier.
 */
export function authorizationUrl(
  endpoint: string,
  loopbackHttp: boolean,
  { config, redirectUri, state, nonce, codeChallenge }: AuthorizationRequest,
): string | null {
  const address = pageAddress(endpoint, loopbackHttp);
  if (address === null) {
    return null;
  }
  const url = new URL(address);
  url.hash = '';
  // The endpoint's own query stays (RFC 6749, 3.1); what is Lanyard's own wins over all else.
  const parameters: Record<string, string> = {
    ...config.extraParams,
    ...(config.loginHint === undefined ? {} : { login_hint: config.loginHint }),
    client_id: config.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: config.scopes.join(' '),
    state: state.reveal(),
    nonce: nonce.reveal(),
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, value);
  }
  return url.href;
}
