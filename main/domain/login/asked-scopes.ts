/** Scopes that are a person's: the client's own token knows neither (OpenID Connect Core, 3.1.2.1 and 11). */
const personScopes: readonly string[] = ['openid', 'offline_access'];

/** What an account asks for. None: the provider gives what it gives by itself, which may be all (RFC 6749, 3.3). */
export function askedScopes(flow: string | undefined, scopes: readonly string[]): readonly string[] {
  return flow === 'clientCredentials' ? scopes.filter((each) => !personScopes.includes(each)) : scopes;
}
