import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import { Secret } from '../base/secret.ts';
import { identityTokenUser } from '../contract/identity-token.ts';
import type { AuthChallenge } from '../domain/image/auth-challenge.ts';
import type { RegistryOrigin } from '../domain/image/registry-origin.ts';
import { judgeRealm } from '../domain/image/token-server.ts';
import type { Fetch } from '../platform/network/bounded-fetch.ts';
import { Decided, type RegistryQuestion } from './registry-question.ts';

/** As a client’s name at a token server (distribution’s OAuth2 specification asks for one). */
const clientId = 'lanyard';

/** Goes into a header: visible ASCII alone, and no longer than servers take one. */
const usableToken = z.string().regex(/^[\x21-\x7e]{1,16384}$/);
const answerSchema = z.object({ token: z.unknown().optional(), access_token: z.unknown().optional() });

export interface TokenDeps {
  origin: RegistryOrigin;
  /** `checkAddress`: closed addresses get nothing (isClosedAddress). */
  fetchFor(checkAddress: boolean): Fetch;
  signal: AbortSignal;
}

/** A token, and who gave it: host and port. */
export interface RegistryToken {
  token: Secret;
  by: string;
}

/**
 * Asks the token server of a Bearer challenge for a token, as docker does: GET with Basic (distribution’s token
 * specification), or POST with an identity token as refresh_token (its OAuth2 specification). `scope` null: for the
 * login alone. Throws Decided where the server may not get the credential, or gives no token.
 */
export async function fetchToken(
  challenge: AuthChallenge,
  scope: string | null,
  { credential, tokenServers }: Pick<RegistryQuestion, 'credential' | 'tokenServers'>,
  { origin, fetchFor, signal }: TokenDeps,
): Promise<RegistryToken> {
  const judged = judgeRealm(challenge.parameters.get('realm') ?? '', origin, tokenServers);
  if (!judged.ok) {
    throw new Decided({ kind: 'untrusted', fault: judged.fault, authority: judged.authority });
  }
  const { url, checkAddress } = judged;
  const by = { host: url.host, isTokenServer: true };
  const service = challenge.parameters.get('service');
  const parameters = {
    ...(service !== undefined && { service }),
    ...(scope !== null && { scope }),
  };
  const { userName, password } = credential;
  const isIdentityToken = userName === identityTokenUser;
  if (!isIdentityToken) {
    for (const [name, value] of Object.entries({ ...parameters, account: userName })) {
      url.searchParams.set(name, value);
    }
  }
  const request = isIdentityToken
    ? {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          ...parameters,
          grant_type: 'refresh_token',
          client_id: clientId,
          refresh_token: password.reveal(),
        }),
      }
    : { method: 'GET', headers: { authorization: basicHeader(credential) } };
  const answer = await fetchFor(checkAddress)(url.href, { ...request, signal }).catch((failure) => {
    throw new Decided({ kind: 'unreachable', by, failure });
  });
  const { status } = answer;
  if (status >= 300 && status < 400) {
    throw new Decided({ kind: 'redirected', by });
  }
  // RFC 6749, 5.2: an identity token that isn't good is a 400.
  if (status === 401 || status === 403 || (status === 400 && isIdentityToken)) {
    throw new Decided({ kind: 'rejected', by, status });
  }
  if (isIdentityToken && (status === 404 || status === 405)) {
    throw new Decided({ kind: 'identityToken', by });
  }
  if (status !== 200) {
    throw new Decided({ kind: 'unclear', by, status });
  }
  const parsed = answerSchema.safeParse(parseJson(await answer.text()));
  const { token, access_token } = parsed.data ?? {};
  const found = usableToken.safeParse(isIdentityToken ? access_token : (token ?? access_token));
  if (!found.success) {
    throw new Decided({ kind: 'noToken', by });
  }
  return { token: new Secret(found.data), by: url.host };
}

/** RFC 7617, in UTF-8. */
export function basicHeader({ userName, password }: RegistryQuestion['credential']): string {
  return `Basic ${Buffer.from(`${userName}:${password.reveal()}`).toString('base64')}`;
}
