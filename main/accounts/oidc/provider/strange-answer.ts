import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';

/** What openid-client accepts and Lanyard can't use. It has its own code (provider-problem.ts). */
class StrangeAnswer extends Error {
  readonly code: 'OAUTH_INVALID_RESPONSE' | 'OAUTH_UNSUPPORTED_OPERATION';

  constructor(code: StrangeAnswer['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws where the tokens are for a use that was not requested, or have no subject. */
export function expectUsable(answer: TokenEndpointResponse & TokenEndpointResponseHelpers): void {
  // RFC 6749, 7.1: a token of a type that isn't known must not be used. No proof of possession was sent.
  // `N_A` gets here from a token exchange alone (RFC 8693, 2.2.1): what issued_token_type says counts then.
  if (!['bearer', 'n_a'].includes(answer.token_type.toLowerCase())) {
    throw new StrangeAnswer('OAUTH_UNSUPPORTED_OPERATION', 'the token is no bearer token');
  }
  // OpenID Connect Core 2: a session can't be pinned to an empty name.
  if (answer.claims()?.sub.trim() === '') {
    throw new StrangeAnswer('OAUTH_INVALID_RESPONSE', 'the id token has no subject');
  }
}
