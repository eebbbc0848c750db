import type { ProviderProblem } from '../provider/provider-problem.ts';

/**
 * What a rejected refresh token means for the login: `ended`, the token is no longer valid; `person`, the provider
 * requires the user to log in (OpenID Connect Core 3.1.2.6; Entra ID sends these for its policies); null, the error
 * has nothing to do with the token.
 */
export function meaningOfRefusal({ oauthError, detail }: ProviderProblem): 'ended' | 'person' | null {
  switch (oauthError) {
    case 'invalid_grant':
      return 'ended';
    case 'invalid_request':
      // Dex says so where RFC 6749, 5.2, wants invalid_grant.
      return /refresh token (expired|is invalid)/i.test(detail ?? '') ? 'ended' : null;
    case 'interaction_required':
    case 'login_required':
    case 'consent_required':
      return 'person';
    default:
      return null;
  }
}
