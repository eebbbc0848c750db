import { decodeJwt } from 'jose';
import type { Configuration, IDToken, TokenEndpointResponse } from 'openid-client';
import { Secret } from '../../../base/secret.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import { HttpFailure } from '../../../platform/network/http-failure.ts';
import { AnswerFault } from './answer-fault.ts';
import { oauthErrorIn, tokenFieldsIn, withBody } from './answers.ts';
import { checkIdToken } from './id-token.ts';
import type { Step } from './problem-table.ts';
import type { Provider } from './provider.ts';
import { type ProviderProblem, problemOf } from './provider-problem.ts';

/** Tokens whose id token's claims and signature have been checked. */
export interface TokenSet {
  idToken: Secret | null;
  /** Claims of the id token. */
  claims: IDToken | null;
  accessToken: Secret;
  refreshToken: Secret | null;
  /** Life of the access token as the answer says it. */
  expiresInSeconds: number | null;
  /** RFC 8693, 2.2.1: what kind of token `accessToken` is; null where the answer doesn't say. */
  issuedTokenType: string | null;
}

/**
 * What an answer contained, before anything of it was checked: a rotated refresh token must not be lost
 * (rule: nothing-lost).
 */
export interface Received {
  refreshToken: Secret | null;
  /** What the id token says of itself, unverified; null without a readable id token. */
  idToken: { issuer: unknown; subject: unknown; issuedAt: unknown } | null;
}

/** How a request to the token endpoint went. */
export type TokenAnswer =
  | { kind: 'tokens'; tokens: TokenSet }
  /** An OAuth error: the provider took nothing. */
  | { kind: 'refused'; problem: ProviderProblem; refusal: Refusal }
  /** Surely nothing reached the provider. */
  | { kind: 'notSent'; problem: ProviderProblem; refusal: Refusal }
  /** Tokens came, and must not be used. */
  | { kind: 'unusable'; received: Received; problem: ProviderProblem; refusal: Refusal }
  /** It is unknown whether the provider took it. */
  | { kind: 'unknown'; problem: ProviderProblem; refusal: Refusal };

export type TokenCall = (configuration: Configuration) => Promise<TokenEndpointResponse>;

/** What proves to the provider that the request is ours. */
export interface Presented {
  /** The refresh token, a code, the token to exchange; null: the client's own proof is all. */
  grant: Secret | null;
  clientSecret: Secret | null;
  /** RFC 7636: goes with an authorization code or a device code. */
  verifier?: Secret;
  /** Of the authorization request: an id token must repeat it. */
  nonce?: Secret;
}

/** Makes one request to the token endpoint and checks what comes back. Never throws for what a provider does. */
export async function requestTokens(
  provider: Provider,
  known: Extract<Awaited<ReturnType<Provider['know']>>, { ok: true }>,
  { grant, clientSecret, verifier, nonce }: Presented,
  call: TokenCall,
  { signal, step: asked = 'token' }: { signal?: AbortSignal; step?: 'token' | 'renewal' } = {},
): Promise<TokenAnswer> {
  let received: Received | null = null;
  let idToken: Secret | null = null;
  let sent = false;
  let serverError = false;
  const configuration = provider.configure(
    known,
    clientSecret,
    async (_url, send) => {
      const startedAt = performance.now();
      const response = await send().catch((error) => {
        sent = !(error instanceof HttpFailure) || error.sent;
        throw error;
      });
      sent = true;
      const text = await response.clone().text();
      // Some say it with HTTP status 500, whose body the library leaves unread.
      serverError = response.status === 500 && oauthErrorIn(text)?.error === 'server_error';
      received = response.ok ? receivedIn(text) : null;
      const issuedAt = received?.idToken?.issuedAt;
      if (typeof issuedAt === 'number' && Math.abs(issuedAt) < latestSeconds) {
        const tookMilliseconds = performance.now() - startedAt;
        provider.sawToken({ issuedAt: issuedAt * 1000, tookMilliseconds });
      }
      const fields = response.status === 200 ? tokenFieldsIn(text) : null;
      if (!fields) {
        return response;
      }
      // Checked here (id-token.ts), and not by the library.
      const { id_token, ...rest } = fields;
      idToken = id_token === undefined ? null : new Secret(id_token);
      return withBody(response, rest);
    },
    signal,
  );
  let step: Step = asked;
  try {
    const answer = await call(configuration);
    // RFC 6749, 7.1: a token of a type that isn't known must not be used. No proof of possession was sent.
    // `N_A` gets here from a token exchange alone (RFC 8693, 2.2.1): what issued_token_type says counts then.
    if (!['bearer', 'n_a'].includes(answer.token_type.toLowerCase())) {
      throw new AnswerFault('unsupported', 'token_type');
    }
    const tokens = tokenSet(answer, idToken);
    if (tokens.idToken) {
      tokens.claims = checkIdToken(tokens.idToken, {
        metadata: known.metadata,
        clientId: configuration.clientMetadata().client_id,
        nonce: nonce ?? null,
        accessToken: tokens.accessToken,
      });
      step = 'keys';
      await known.checkSignature(tokens.idToken.reveal());
    }
    return { kind: 'tokens', tokens };
  } catch (error) {
    const found = problemOf(
      error,
      [grant, clientSecret, verifier, known.proof.assertion].filter((secret) => secret instanceof Secret),
    );
    const problem: ProviderProblem = serverError
      ? { ...found, kind: 'oauthError', oauthError: 'server_error', detail: 'server_error' }
      : found;
    const told = { problem, refusal: provider.refuseProblem(problem, step) };
    if (received) {
      return { kind: 'unusable', received, ...told };
    }
    const definite = problem.oauthError !== null || problem.kind === 'clientRejected';
    if (definite && (problem.status ?? 0) < 500) {
      return { kind: 'refused', ...told };
    }
    return { kind: sent ? 'unknown' : 'notSent', ...told };
  }
}

/** The last second that a date can tell; what lies beyond says nothing of a clock. */
const latestSeconds = 8.64e12;

function tokenSet(answer: TokenEndpointResponse, idToken: Secret | null): TokenSet {
  return {
    idToken,
    claims: null,
    accessToken: new Secret(answer.access_token),
    refreshToken: answer.refresh_token === undefined ? null : new Secret(answer.refresh_token),
    expiresInSeconds: answer.expires_in ?? null,
    issuedTokenType: typeof answer['issued_token_type'] === 'string' ? answer['issued_token_type'] : null,
  };
}

function receivedIn(text: string): Received | null {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const refreshToken = body['refresh_token'];
    const given = typeof refreshToken === 'string' && refreshToken !== '';
    const idToken = unverified(body['id_token']);
    return given || idToken ? { refreshToken: given ? new Secret(refreshToken) : null, idToken } : null;
  } catch {
    return null;
  }
}

function unverified(token: unknown): Received['idToken'] {
  try {
    const claims = typeof token === 'string' ? decodeJwt(token) : null;
    return claims && { issuer: claims.iss, subject: claims.sub, issuedAt: claims.iat };
  } catch {
    return { issuer: null, subject: null, issuedAt: null };
  }
}
