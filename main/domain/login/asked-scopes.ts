/** Scopes of a user: without a login a token has neither (OpenID Connect Core, 3.1.2.1 and 11). */
const personScopes: readonly string[] = ['openid', 'offline_access'];

/** The scopes that an account requests. None: the provider gives its default, which may be all (RFC 6749, 3.3). */
export function askedScopes(flow: string | undefined, scopes: readonly string[]): readonly string[] {
  return flow === 'clientCredentials' || flow === 'serviceAccountToken'
    ? scopes.filter((each) => !personScopes.includes(each))
    : scopes;
}
