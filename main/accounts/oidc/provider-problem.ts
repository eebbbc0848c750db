import { errors as joseErrors } from 'jose';
import { ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { displayText } from './display-text.ts';
import { HttpFailure, type HttpFailureKind } from './http-failure.ts';

/** What was asked of the provider when it went wrong. */
export type Step = 'discovery' | 'device' | 'token' | 'keys';

/** What went wrong, without anything of the answer but what may be shown. */
export interface ProviderProblem {
  kind:
    | HttpFailureKind
    | 'issuerMismatch'
    | 'tokenIssuer'
    | 'tokenAudience'
    | 'tokenClaims'
    | 'tokenClock'
    | 'tokenSignature'
    | 'malformed'
    | 'missingEndpoint'
    | 'unsupported'
    | 'clientRejected'
    | 'oauthError'
    | 'unknown';
  /** A status, OAuth's error code with its description, or the issuer that was found; fit to be shown. */
  detail: string | null;
  /** OAuth's error code (RFC 6749, 5.2). */
  oauthError: string | null;
  /** The HTTP status where there was one. */
  status: number | null;
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
 * Reads an error of openid-client, jose or this folder's fetch. Their errors hold whole answers as `cause`, so
 * they end here: only what may be shown goes on.
 */
export function problemOf(error: unknown): ProviderProblem {
  const none = { detail: null, oauthError: null, status: null };
  const failure = find(error, (one) => one instanceof HttpFailure);
  if (failure) {
    const { kind, status } = failure;
    return { ...none, kind, status, detail: status === null ? null : String(status) };
  }
  if (error instanceof ResponseBodyError) {
    const code = displayText(error.error, 80);
    const said = error.error_description === undefined ? '' : displayText(error.error_description);
    const kind = code === 'invalid_client' ? 'clientRejected' : 'oauthError';
    const detail = said === '' ? code : `${code}: ${said}`;
    return { kind, detail, oauthError: code, status: error.status };
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return { ...none, kind: 'clientRejected', detail: String(error.status), status: error.status };
  }
  const code = (error as { code?: unknown } | null)?.code;
  const kind = (typeof code === 'string' && kindsByClientCode[code]) || 'unknown';
  if (kind === 'status' || kind === 'notJson') {
    const status = (error as { cause?: { status?: unknown } }).cause?.status;
    // An error page is HTML as a rule: its status says more than that.
    const isStatus = typeof status === 'number' && (kind === 'status' || status >= 300);
    return isStatus ? { ...none, kind: 'status', status, detail: String(status) } : { ...none, kind };
  }
  if (kind === 'tokenClaims') {
    return { ...none, kind: kindOfClaim(error) };
  }
  return { ...none, kind: error instanceof joseErrors.JOSEError && kind === 'unknown' ? 'malformed' : kind };
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
    default:
      return 'tokenClaims';
  }
}

/** The first in the chain of causes that `is`. */
function find<T>(error: unknown, is: (one: object) => one is T & object): T | null {
  let one = error;
  for (let depth = 0; depth < 8 && typeof one === 'object' && one !== null; depth += 1) {
    if (is(one)) {
      return one;
    }
    one = (one as { cause?: unknown }).cause;
  }
  return null;
}

interface Row {
  /** `*` stands for the step. */
  code: string;
  /** After the host: `id.example.com <message>`; `*` stands for the detail. */
  message: string;
  hint?: string;
}

const addAuthority = 'set certificateAuthority of the account to the PEM file of the provider’s own CA';
const checkIssuer = 'check the account’s issuer';

/** One row per kind of problem: the stable code, what a person reads, and what helps. */
const rows: Readonly<Record<ProviderProblem['kind'], Row>> = {
  unreachable: { code: 'oidc.*.unreachable', message: 'can’t be reached', hint: 'check the network' },
  unknownHost: {
    code: 'oidc.*.unknownHost',
    message: 'is no known host',
    hint: 'check the network, and the account’s issuer',
  },
  timeout: { code: 'oidc.timeout', message: 'did not answer in time', hint: 'try again; check the network' },
  cancelled: { code: 'oidc.cancelled', message: 'was not waited for any longer' },
  unknownAuthority: {
    code: 'oidc.tls.unknownAuthority',
    message: 'shows a certificate of an unknown authority',
    hint: addAuthority,
  },
  wrongHostName: {
    code: 'oidc.tls.wrongHostName',
    message: 'shows a certificate for another host',
    hint: checkIssuer,
  },
  certificateDates: {
    code: 'oidc.tls.certificateDates',
    message: 'shows a certificate that is not valid now',
    hint: 'check this machine’s clock; else the provider must renew its certificate',
  },
  tls: { code: 'oidc.tls.failed', message: 'speaks no TLS that can be used' },
  broken: { code: 'oidc.*.broken', message: 'broke off in the middle of its answer', hint: 'try again' },
  tooLarge: { code: 'oidc.*.tooLarge', message: 'sent an answer larger than 1 MiB' },
  insecureAddress: { code: 'oidc.*.insecureAddress', message: 'names an address that is not https' },
  status: { code: 'oidc.*.status', message: 'answered with HTTP status *', hint: checkIssuer },
  notJson: {
    code: 'oidc.*.notJson',
    message: 'answered with something that is not JSON',
    hint: 'a network’s login page may be in between; else check the account’s issuer',
  },
  issuerMismatch: {
    code: 'oidc.issuer.mismatch',
    message: 'says that its issuer is “*”',
    hint: 'set issuer of the account to exactly that, if you trust it',
  },
  tokenIssuer: { code: 'oidc.token.issuer', message: 'sent a token in another issuer’s name' },
  tokenAudience: {
    code: 'oidc.token.audience',
    message: 'sent a token meant for another client',
    hint: 'check the account’s clientId',
  },
  tokenClaims: { code: 'oidc.token.claims', message: 'sent a token whose claims are wrong' },
  tokenClock: {
    code: 'oidc.token.clock',
    message: 'sent a token that is not valid at this machine’s time',
    hint: 'check this machine’s clock',
  },
  tokenSignature: {
    code: 'oidc.token.signature',
    message: 'sent a token that none of its published keys has signed',
    hint: 'try again in a minute; if it stays, tell the provider’s operator',
  },
  malformed: { code: 'oidc.*.malformed', message: 'sent an answer that is not what the standard says' },
  missingEndpoint: {
    code: 'oidc.*.missingEndpoint',
    message: 'does not offer what this login needs',
    hint: 'the provider must allow the device flow (RFC 8628) for this client',
  },
  unsupported: { code: 'oidc.*.unsupported', message: 'asks for something that lanyard can’t do' },
  clientRejected: {
    code: 'oidc.client.rejected',
    message: 'does not accept this client (*)',
    hint: 'check the account’s clientId, and its secret: lanyard secret set ACCOUNT/clientSecret',
  },
  oauthError: { code: 'oidc.*.error', message: 'refused: *' },
  unknown: { code: 'oidc.*.failed', message: 'gave an answer that can’t be used' },
};

/** The refusal for a problem at `host` (never with a path or query). */
export function refuseProblem(problem: ProviderProblem, step: Step, host: string, account: string): Refusal {
  const row = rows[problem.kind];
  const message = row.message.replace('*', () => problem.detail ?? 'unknown');
  const hint = row.hint?.replace('ACCOUNT', account);
  return refuse('provider', row.code.replace('*', step), `${host} ${message}`, hint);
}
