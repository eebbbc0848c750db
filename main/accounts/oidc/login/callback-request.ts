import { createHash, timingSafeEqual } from 'node:crypto';
import { Secret } from '../../../base/secret.ts';
import { displayText } from '../display-text.ts';

/** What a login waits for at its redirect address. */
export interface ExpectedCallback {
  path: string;
  /** Host and port as in the redirect address; what a page under another name reaches is not ours. */
  host: string;
  state: Secret;
  issuer: string;
  /** The provider announced `authorization_response_iss_parameter_supported` (RFC 9207, 3). */
  issuerRequired: boolean;
}

/** The parts of a request that are checked (rule: guarded-loopback). */
export interface CallbackRequest {
  method: string | undefined;
  /** Path and query, as on the request line. */
  target: string | undefined;
  host: string | undefined;
  origin: string | undefined;
  /** Sec-Fetch-Mode. */
  fetchMode: string | undefined;
}

/** The provider's answer, for the login with this state. */
export type Callback =
  | { kind: 'code'; code: Secret }
  /** OAuth's error code with its description (RFC 6749, 4.1.2.1); fit to be shown. */
  | { kind: 'error'; error: string; description: string }
  /** RFC 9207: `iss` is wrong, or missing where the provider said that it would come. */
  | { kind: 'otherIssuer' }
  | { kind: 'malformed' };

export type Judged =
  /** Not this address at all: answered with 404 and no detail. */
  | { kind: 'notHere' }
  /** No state, or not this login's: shown a plain page, and the login goes on waiting. */
  | { kind: 'notOurs' }
  | { kind: 'ours'; callback: Callback };

/** Decides what a request to the redirect address is. Only who knows the state can end the login. */
export function judgeCallback(request: CallbackRequest, expected: ExpectedCallback): Judged {
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?$/.exec(request.target ?? '') ?? [];
  const isHere =
    request.method === 'GET' &&
    request.host?.toLowerCase() === expected.host &&
    path === (expected.path === '' ? '/' : expected.path);
  // A provider sends the browser here by navigation, which has no Origin: what a page's script asks for has no answer.
  const isNavigation =
    (request.origin === undefined || request.origin === 'null') &&
    (request.fetchMode === undefined || request.fetchMode === 'navigate');
  if (!isHere || !isNavigation) {
    return { kind: 'notHere' };
  }
  const parameters = new URLSearchParams(query);
  const states = parameters.getAll('state');
  return states.length === 1 && isSame(states[0] ?? '', expected.state.reveal())
    ? { kind: 'ours', callback: read(parameters, expected) }
    : { kind: 'notOurs' };
}

function read(parameters: URLSearchParams, expected: ExpectedCallback): Callback {
  const issuers = parameters.getAll('iss');
  const isMissing = issuers.length === 0 && expected.issuerRequired;
  // Before all else: an answer of another provider is not even read (RFC 9207, 2.4).
  if (isMissing || issuers.length > 1 || (issuers.length === 1 && issuers[0] !== expected.issuer)) {
    return { kind: 'otherIssuer' };
  }
  const [codes, errors] = [parameters.getAll('code'), parameters.getAll('error')];
  if (errors.length === 1 && codes.length === 0 && errors[0] !== '') {
    const description = parameters.get('error_description') ?? '';
    const shown = (text: string, limit: number) =>
      displayText(text.replaceAll(expected.state.reveal(), String(expected.state)), limit);
    return { kind: 'error', error: shown(errors[0] ?? '', 80), description: shown(description, 200) };
  }
  // RFC 6749, 3.1: no parameter twice. And nothing of the implicit or hybrid flow, which was not asked for.
  const isCode = errors.length === 0 && codes.length === 1 && codes[0] !== '';
  const hasMore = ['access_token', 'id_token', 'response'].some((name) => parameters.has(name));
  return isCode && !hasMore ? { kind: 'code', code: new Secret(codes[0] ?? '') } : { kind: 'malformed' };
}

/** Compares in a time that tells nothing of the values. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
