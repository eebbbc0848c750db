import type { OidcAccountConfig } from '../../contract/config/accounts/oidc.ts';
import type { MadeAccount } from './made-account.ts';
import { isGoogle } from './oidc-entry.ts';

type Made = Extract<MadeAccount, { ok: true }>;

const scope = 'offline_access';

/** It logs a user in, and requests no refresh token (OpenID Connect Core, 11; Google has its own way). */
export function lacksOfflineAccess({ value, needsLogin }: Pick<Made, 'value' | 'needsLogin'>): boolean {
  if (!('oidc' in value) || !needsLogin) {
    return false;
  }
  const { issuer, scopes } = value.oidc as Pick<OidcAccountConfig, 'issuer' | 'scopes'>;
  return !isGoogle(issuer) && !scopes.includes(scope);
}

/** The account with the missing scope. */
export function withOfflineAccess(made: Made): Made {
  const { oidc } = made.value as { oidc: Pick<OidcAccountConfig, 'scopes'> };
  return { ...made, value: { oidc: { ...oidc, scopes: [...oidc.scopes, scope] } }, addedScope: true };
}

/** The account as the kubeconfig has it, without a scope that was added. */
export function withoutAddedScope(made: Made): Made {
  const { oidc } = made.value as { oidc: Pick<OidcAccountConfig, 'scopes'> };
  return { ...made, value: { oidc: { ...oidc, scopes: oidc.scopes.filter((each) => each !== scope) } } };
}
