import type { OidcAccountConfig } from '../../contract/config.ts';

/**
 * What a person should know where a login gave no refresh token though one was asked for (OpenID Connect Core, 11):
 * why, and what to do. Null where all is well.
 */
export function refreshTokenNote(
  name: string,
  config: Pick<OidcAccountConfig, 'issuer' | 'clientId' | 'scopes'>,
  hasRefreshToken: boolean,
): string | null {
  const { host } = new URL(config.issuer);
  // Google takes no offline_access; it wants a parameter of its own.
  const isGoogle = host === 'accounts.google.com';
  if (hasRefreshToken || !(isGoogle || config.scopes.includes('offline_access'))) {
    return null;
  }
  const remedy = isGoogle
    ? 'leave offline_access out of its scopes and set its extraParams to { access_type: offline, prompt: consent }'
    : `the provider must allow refresh tokens (offline_access) for the client ${config.clientId}; some give them only with extraParams: { prompt: consent }`;
  return `${host} gave no refresh token, so ${name} needs a new login whenever its token ends: ${remedy}`;
}
