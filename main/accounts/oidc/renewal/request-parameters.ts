import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { askedScopes } from '../../../domain/login/asked-scopes.ts';

/** What a request itself says; a configured parameter must not say it otherwise. */
const ownParameters =
  /^(grant_type|scope|client_id|client_secret|client_assertion|client_assertion_type|subject_token|requested_token_type)$/;

/** The parameters of a token request without a user that config.yaml sets: `extraParams`, and the scopes. */
export function requestParameters({
  flow,
  scopes,
  extraParams,
}: Pick<OidcAccountConfig, 'flow' | 'scopes' | 'extraParams'>): Record<string, string> {
  const scope = askedScopes(flow, scopes).join(' ');
  const own = Object.entries(extraParams).filter(([key]) => !ownParameters.test(key));
  return { ...Object.fromEntries(own), ...(scope !== '' && { scope }) };
}
