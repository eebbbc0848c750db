import { randomBytes } from 'node:crypto';
import type { ServerMetadata } from 'openid-client';
import type { Fetch } from '../../../platform/network/bounded-fetch.ts';

/** `unknown`: or it has to prove itself, with a secret or a key. `untold`: the answer says neither. */
export type ClientCheckResult = 'known' | 'unknown' | 'untold';

/**
 * Whether a provider knows a public client: a token request with a code that was never issued. A provider checks the
 * client before the code (RFC 6749, 5.2: invalid_client), in JSON, and the request has no effect there: no session,
 * no device code, no page to parse.
 */
export async function checkClient(
  { token_endpoint }: Pick<ServerMetadata, 'token_endpoint'>,
  clientId: string,
  redirectUri: string,
  send: Fetch,
  signal: AbortSignal,
): Promise<ClientCheckResult> {
  if (token_endpoint === undefined) {
    return 'untold';
  }
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code: `lanyard-doctor-${randomBytes(16).toString('hex')}`,
    redirect_uri: redirectUri,
    code_verifier: randomBytes(32).toString('base64url'),
  });
  try {
    const answer = await send(token_endpoint, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body,
      signal,
    });
    return resultBy(answer.status, await answer.json());
  } catch {
    // The provider's presence was checked before.
    return 'untold';
  }
}

/** Keycloak says unauthorized_client with 401 for one that has to prove itself; with 400 that its grants are others. */
function resultBy(status: number, answer: unknown): ClientCheckResult {
  switch ((answer as { error?: unknown } | null)?.error) {
    case 'invalid_client':
      return 'unknown';
    case 'invalid_grant':
    case 'unsupported_grant_type':
      return 'known';
    case 'unauthorized_client':
      return status === 401 ? 'unknown' : 'known';
    default:
      return 'untold';
  }
}
