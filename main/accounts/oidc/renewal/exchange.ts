import { decodeJwt } from 'jose';
import { genericGrantRequest } from 'openid-client';
import type { OidcAccountConfig } from '../../../contract/config.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { visibleText } from '../../../domain/visible-text.ts';
import type { Credential, Obtained } from '../../../ports/account.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Vault } from '../../../ports/vault.ts';
import type { Provider } from '../provider/provider.ts';
import type { ProviderProblem } from '../provider/provider-problem.ts';
import { requestTokens, type TokenSet } from '../provider/token-request.ts';
import { chooseToken, clientSecretOf, credentialOf } from '../session.ts';

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
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

/** RFC 8693: `subject` for a token that is good for `audience`. Nothing is kept. */
export async function exchangeToken(
  deps: ExchangeDeps,
  subject: Credential,
  audience: string,
  signal: AbortSignal,
): Promise<Obtained> {
  const { name, kind, provider, vault, clock } = deps;
  const { token } = subject;
  if (!token) {
    return refuse('internal', 'oidc.exchange.noToken', `${name} holds no token that could be exchanged`);
  }
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
        subject_token: token.reveal(),
        subject_token_type: typeOf(kind === 'id' ? 'id_token' : 'access_token'),
        requested_token_type: typeOf('access_token'),
        audience,
      }),
    signal,
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
  audience: string,
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
  const audiences = audiencesOf(tokens.accessToken.reveal());
  if (audiences !== null && !audiences.includes(audience)) {
    return refuse(
      'provider',
      'oidc.exchange.audience',
      `${provider.host} exchanged the token for one that is not meant for ${visibleText(audience)}`,
      'check audience of the cluster, and what the provider lets this client ask for',
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

/** RFC 8693, 2.2.2, and RFC 6749, 5.2: what a person can mend has words of its own. */
function refuseExchange(
  { config, provider }: ExchangeDeps,
  audience: string,
  problem: ProviderProblem,
): Refusal {
  const { host } = provider;
  const shown = visibleText(audience);
  switch (problem.oauthError) {
    case 'unsupported_grant_type':
      return refuse(
        'provider',
        'oidc.exchange.unsupported',
        `${host} does not exchange tokens (RFC 8693), and the cluster needs one for ${shown}`,
        'remove audience of the cluster, where it takes the account’s own token; else ask the provider’s operator',
      );
    case 'invalid_target':
      return refuse(
        'provider',
        'oidc.exchange.target',
        `${host} gives no token for the audience ${shown} (${problem.detail})`,
        'check audience of the cluster',
      );
    case 'unauthorized_client':
      return refuse(
        'provider',
        'oidc.exchange.client',
        `${host} does not let the client ${config.clientId} exchange tokens (${problem.detail})`,
        'the provider’s operator must allow token exchange for this client',
      );
    default:
      return provider.refuseProblem(problem, 'exchange');
  }
}
