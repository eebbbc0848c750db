import { decodeJwt } from 'jose';
import { genericGrantRequest } from 'openid-client';
import type { Secret } from '../../../base/secret.ts';
import type { OidcAccountConfig } from '../../../contract/config/accounts/oidc.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { Obtained } from '../../../ports/account.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Vault } from '../../../ports/vault.ts';
import type { Provider } from '../provider/provider.ts';
import type { ProviderProblem } from '../provider/provider-problem.ts';
import { requestTokens, type TokenSet } from '../provider/token-request.ts';
import { chooseToken, clientSecretOf, credentialOf } from '../session.ts';

/** RFC 8693, 2.1. */
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const typeOf = (kind: 'access_token' | 'id_token' | 'jwt') => `urn:ietf:params:oauth:token-type:${kind}`;

export interface ExchangeDeps {
  name: string;
  config: Pick<OidcAccountConfig, 'clientId'>;
  /** Which kind of token the account's credential is. */
  kind: OidcAccountConfig['token'];
  provider: Provider;
  vault: Pick<Vault, 'read'>;
  clock: Pick<Clock, 'now'>;
  isCurrent(): boolean;
}

/** The token that is exchanged, and what it is (RFC 8693, 3). */
export interface Presented {
  token: Secret;
  type: 'access_token' | 'id_token' | 'jwt';
}

/**
 * RFC 8693: the presented token for one that is good for `audience`; null: for what the provider chooses. `more`: further
 * parameters of the request. Nothing is kept.
 */
export async function exchangeToken(
  deps: ExchangeDeps,
  { token, type }: Presented,
  audience: string | null,
  signal: AbortSignal,
  more: Readonly<Record<string, string>> = {},
): Promise<Obtained> {
  const { name, provider, vault, clock } = deps;
  const known = await provider.know();
  if (!known.ok) {
    return known;
  }
  const clientSecret = clientSecretOf(vault.read(), name);
  const requestedAt = clock.now();
  const answer = await requestTokens(
    provider,
    known,
    { grant: token, clientSecret },
    (configuration) =>
      genericGrantRequest(configuration, exchangeGrant, {
        subject_token_type: typeOf(type),
        requested_token_type: typeOf('access_token'),
        ...more,
        subject_token: token.reveal(),
        ...(audience !== null && { audience }),
      }),
    { signal },
  );
  if (answer.kind !== 'tokens') {
    return refuseExchange(deps, audience, answer.problem);
  }
  if (!deps.isCurrent()) {
    return refuse(
      'provider',
      'oidc.exchange.changed',
      `the configuration of ${name} changed meanwhile, so the provider’s answer was dropped`,
      'try again',
    );
  }
  return checked(deps, answer.tokens, audience, requestedAt);
}

function checked(
  { kind, provider, clock }: ExchangeDeps,
  tokens: TokenSet,
  audience: string | null,
  requestedAt: number,
): Obtained {
  // An id token is as good as what was asked for where the cluster takes id tokens; a refresh token never is.
  const taken = [typeOf('access_token'), typeOf('jwt'), ...(kind === 'id' ? [typeOf('id_token')] : [])];
  if (!taken.includes(tokens.issuedTokenType ?? '')) {
    return refuse(
      'provider',
      'oidc.exchange.tokenType',
      `${provider.host} exchanged the token for one of another kind than was asked for`,
    );
  }
  const audiences = audience === null ? null : audiencesOf(tokens.accessToken.reveal());
  if (audience !== null && audiences !== null && !audiences.includes(audience)) {
    return refuse(
      'provider',
      'oidc.exchange.audience',
      `${provider.host} exchanged the token for one that is not meant for ${visibleText(audience)}`,
      'check its audience in config.yaml, and what the provider lets this client ask for',
    );
  }
  const chosen = chooseToken('access', tokens, requestedAt);
  if (!chosen || (chosen.expiresAt !== null && chosen.expiresAt <= clock.now())) {
    return provider.refuseProblem(
      { kind: 'tokenClock', detail: null, oauthError: null, status: null },
      'exchange',
    );
  }
  return { ok: true, credential: credentialOf(chosen) };
}

/** What a JWT says it is meant for; null where it is none: the cluster checks what a client can't read. */
function audiencesOf(token: string): readonly unknown[] | null {
  try {
    const { aud } = decodeJwt(token);
    return Array.isArray(aud) ? aud : [aud];
  } catch {
    return null;
  }
}

/** The subject of a refusal. RFC 8693, 2.2.2, and RFC 6749, 5.2; Keycloak has its own words for each. */
function matterOf({
  oauthError,
  detail,
}: ProviderProblem): 'grant' | 'audience' | 'notIncluded' | 'notWithin' | 'client' | null {
  const said = detail ?? '';
  if (oauthError === 'unsupported_grant_type') {
    return 'grant';
  }
  if (/audience not available/i.test(said)) {
    return 'notIncluded';
  }
  if (/not within the token audience/i.test(said)) {
    return 'notWithin';
  }
  if (oauthError === 'invalid_target' || /audience not found/i.test(said)) {
    return 'audience';
  }
  return oauthError === 'unauthorized_client' || /token exchange is not enabled/i.test(said)
    ? 'client'
    : null;
}

/** Failures that the user can fix have their own words. */
function refuseExchange(
  { config, provider }: ExchangeDeps,
  audience: string | null,
  problem: ProviderProblem,
): Refusal {
  const { host } = provider;
  const wanted = audience === null ? 'without an audience' : `for the audience ${visibleText(audience)}`;
  const noToken = (hint: string) =>
    refuse('provider', 'oidc.exchange.target', `${host} gives no token ${wanted} (${problem.detail})`, hint);
  const noClient = (hint: string) =>
    refuse(
      'provider',
      'oidc.exchange.client',
      `${host} does not let the client ${config.clientId} exchange tokens (${problem.detail})`,
      hint,
    );
  switch (matterOf(problem)) {
    case 'grant':
      return refuse(
        'provider',
        'oidc.exchange.unsupported',
        `${host} does not exchange tokens (RFC 8693), and one ${wanted} is needed`,
        audience === null
          ? 'ask the provider’s operator'
          : 'remove audience in config.yaml, if the account’s own token is accepted; else ask the provider’s operator',
      );
    case 'audience':
      return noToken('check its audience in config.yaml');
    case 'notIncluded':
      return noToken(
        `check its audience in config.yaml; the provider’s operator must let ${config.clientId} have tokens for it (Keycloak: an audience mapper in one of its client scopes)`,
      );
    case 'notWithin':
      return noClient(
        'the provider’s operator must add the client to the audience of its access token (Keycloak: an audience mapper)',
      );
    case 'client':
      return noClient('the provider’s operator must allow token exchange for this client');
    case null:
      return provider.refuseProblem(problem, 'exchange');
  }
}
