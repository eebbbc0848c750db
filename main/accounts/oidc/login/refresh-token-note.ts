import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';

type Asking = Pick<OidcAccountConfig, 'issuer' | 'clientId' | 'scopes'>;

export interface NoRefreshToken {
  /** Its scopes ask for one, or the provider takes another way of asking. */
  wasAskedFor: boolean;
  /** A clause. */
  why: string;
  /** What would bring one, for people; an imperative. */
  remedy: string;
}

/** Why a login of the account brought no refresh token, as far as a client can tell (OpenID Connect Core, 11). */
export function noRefreshToken(name: string, { issuer, clientId, scopes }: Asking): NoRefreshToken {
  const { host } = new URL(issuer);
  if (host === 'accounts.google.com') {
    // Google rejects offline_access; it needs its own parameter.
    return {
      wasAskedFor: true,
      why: `${host} gave no refresh token`,
      remedy: `leave offline_access out of the scopes of ${name}, and set its extraParams to { access_type: offline, prompt: consent }`,
    };
  }
  return scopes.includes('offline_access')
    ? {
        wasAskedFor: true,
        why: `${host} gave no refresh token, though offline_access was asked for`,
        remedy: `let the provider’s operator allow refresh tokens for the client ${clientId}, or try extraParams: { prompt: consent }, which some want`,
      }
    : {
        wasAskedFor: false,
        why: 'there is no refresh token, as its scopes don’t have offline_access',
        remedy: `add offline_access to the scopes of ${name} (some providers give one without)`,
      };
}

/** What the user should know where a login gave no refresh token although it was requested. Null: all is well. */
export function refreshTokenNote(name: string, config: Asking, hasRefreshToken: boolean): string | null {
  const { wasAskedFor, why, remedy } = noRefreshToken(name, config);
  return hasRefreshToken || !wasAskedFor
    ? null
    : `${why}, so ${name} needs a new login whenever its token ends: ${remedy}`;
}
