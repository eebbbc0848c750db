import { errors as joseErrors } from 'jose';
import { ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import type { Secret } from '../../../base/secret.ts';
import type { Refusal } from '../../../contract/refusal.ts';
import { HttpFailure, type HttpFailureKind } from '../../../platform/network/http-failure.ts';
import { retryAfterOf } from '../../../platform/network/retry-after.ts';
import { displayText } from '../display-text.ts';
import { AnswerFault } from './answer-fault.ts';
import { knownErrors } from './answers.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What went wrong, without anything of the answer but what may be shown. */
export interface ProviderProblem {
  kind:
    | HttpFailureKind
    /** HTTP status 5xx. */
    | 'outOfOrder'
    /** 429. */
    | 'tooMany'
    | 'issuerMismatch'
    | 'tokenIssuer'
    | 'tokenAudience'
    | 'tokenClaims'
    | 'tokenNonce'
    | 'tokenHash'
    | 'tokenClock'
    | 'tokenSignature'
    | 'malformed'
    | 'missingEndpoint'
    | 'unsupported'
    | 'clientRejected'
    | 'oauthError'
    | 'unknown';
  /**
   * A status, OAuth's error code with its description, the issuer that was found, or which field of an answer is
   * missing or wrong; fit to be shown.
   */
  detail: string | null;
  /** OAuth's error code (RFC 6749, 5.2). */
  oauthError: string | null;
  /** The HTTP status where there was one. */
  status: number | null;
  /** How long the provider asked to be left alone. */
  retryAfterSeconds?: number | undefined;
  /** For the kind `clientKey`: why the client’s key, which is on a token, doesn’t sign. */
  refusal?: Refusal | undefined;
}

const kindsByClientCode: Readonly<Record<string, ProviderProblem['kind']>> = {
  OAUTH_RESPONSE_IS_NOT_JSON: 'notJson',
  OAUTH_PARSE_ERROR: 'notJson',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'status',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'issuerMismatch',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'tokenClaims',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'tokenClock',
  OAUTH_KEY_SELECTION_FAILED: 'tokenSignature',
  OAUTH_INVALID_RESPONSE: 'malformed',
  OAUTH_INVALID_SERVER_METADATA: 'malformed',
  OAUTH_MISSING_SERVER_METADATA: 'missingEndpoint',
  OAUTH_UNSUPPORTED_OPERATION: 'unsupported',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'insecureAddress',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'insecureAddress',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'tokenSignature',
  ERR_JWKS_NO_MATCHING_KEY: 'tokenSignature',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'tokenSignature',
  ERR_JWS_INVALID: 'malformed',
  ERR_JWKS_INVALID: 'malformed',
  ERR_JOSE_NOT_SUPPORTED: 'unsupported',
  ERR_JOSE_ALG_NOT_ALLOWED: 'unsupported',
};

/**
 * Reads an error of openid-client, jose or this folder's fetch. Their errors contain complete answers as `cause`, so
 * they end here: only what may be shown goes on. `presented` is what the provider was told and may repeat.
 */
export function problemOf(error: unknown, presented: readonly Secret[] = []): ProviderProblem {
  const problem = withoutRetryAfter(error, presented);
  const answer = find(error, (one) => one instanceof Response || one instanceof HttpFailure);
  const seconds =
    answer instanceof HttpFailure ? answer.retryAfterSeconds : answer && retryAfterOf(answer.headers);
  return seconds ? { ...problem, retryAfterSeconds: seconds } : problem;
}

function withoutRetryAfter(error: unknown, presented: readonly Secret[]): ProviderProblem {
  const none = { detail: null, oauthError: null, status: null };
  const failure = find(error, (one) => one instanceof HttpFailure);
  if (failure) {
    const { kind, status, proxy } = failure;
    const answered = status === null ? null : String(status);
    const refused = kind === 'proxyRefused' ? `${proxy} answered with HTTP status ${answered}` : null;
    const detail = refused ?? proxy ?? answered;
    return {
      ...none,
      kind: kind === 'status' && status !== null ? kindOfStatus(status) : kind,
      status: proxy === null ? status : null,
      detail,
      refusal: failure.refusal,
    };
  }
  if (error instanceof ResponseBodyError) {
    // A short secret may be a part of a word: what is known to be a code is none.
    const isKnown = knownErrors.includes(error.error);
    const code = isKnown ? error.error : displayText(withoutSecrets(error.error, presented), 80);
    const said = displayText(withoutSecrets(error.error_description ?? '', presented));
    const kind = code === 'invalid_client' ? 'clientRejected' : 'oauthError';
    const detail = said === '' ? code : `${code}: ${said}`;
    return { kind, detail, oauthError: code, status: error.status };
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return { ...none, kind: 'clientRejected', detail: String(error.status), status: error.status };
  }
  const fault = find(error, (one) => one instanceof AnswerFault);
  const code = (fault ?? (error as { code?: unknown } | null))?.code;
  const kind = (typeof code === 'string' && kindsByClientCode[code]) || 'unknown';
  if (kind === 'status' || kind === 'notJson') {
    const status = (error as { cause?: { status?: unknown } }).cause?.status;
    // An error page is HTML as a rule: its status says more than that.
    const isStatus = typeof status === 'number' && (kind === 'status' || status >= 300);
    return isStatus
      ? { ...none, kind: kindOfStatus(status), status, detail: String(status) }
      : { ...none, kind };
  }
  if (kind === 'tokenClaims') {
    return { ...none, kind: kindOfClaim(error) };
  }
  if (kind === 'malformed') {
    return { ...none, kind, detail: fault ? faultText(fault) : endpointText(error) };
  }
  return { ...none, kind: error instanceof joseErrors.JOSEError && kind === 'unknown' ? 'malformed' : kind };
}

function faultText({ field, isMissing }: AnswerFault): string | null {
  return field ? (isMissing ? `without ${field}` : `whose ${field} is wrong`) : null;
}

/** An endpoint in the discovery document that the library can't use. */
function endpointText(error: unknown): string | null {
  const found = find(error, (one): one is { attribute: unknown } => 'attribute' in one);
  return typeof found?.attribute === 'string' ? `whose ${found.attribute} is wrong` : null;
}

function kindOfStatus(status: number): ProviderProblem['kind'] {
  return status === 429 ? 'tooMany' : status >= 500 ? 'outOfOrder' : 'status';
}

/** Which claim of the id token was not as expected. */
function kindOfClaim(error: unknown): ProviderProblem['kind'] {
  const details = find(error, (one): one is { claim: unknown } => typeof one === 'object' && 'claim' in one);
  switch (details?.claim) {
    case 'iss':
      return 'tokenIssuer';
    case 'aud':
    case 'azp':
      return 'tokenAudience';
    case 'nonce':
      return 'tokenNonce';
    case 'at_hash':
      return 'tokenHash';
    default:
      return 'tokenClaims';
  }
}

/** The first in the chain of causes that `is`; an error's answer comes before its cause. */
function find<T>(error: unknown, is: (one: object) => one is T & object): T | null {
  let one = error;
  for (let depth = 0; depth < 8 && typeof one === 'object' && one !== null; depth += 1) {
    if (is(one)) {
      return one;
    }
    const { cause, response } = one as { cause?: unknown; response?: unknown };
    one = response instanceof Response ? response : cause;
  }
  return null;
}
