import { compactVerify, createRemoteJWKSet, customFetch, errors } from 'jose';
import { parseUrl } from '../../../contract/parse-url.ts';
import type { Fetch, HttpLimits } from '../../../platform/network/bounded-fetch.ts';
import { HttpFailure } from '../../../platform/network/http-failure.ts';
import { retryAfterOf } from '../../../platform/network/retry-after.ts';

/** Resolves where one of the provider's published keys signed `token`; throws jose's errors or HttpFailure. */
export type SignatureCheck = (token: string) => Promise<void>;

/** Keys are kept for ten minutes, and asked for again when a token names one that isn't among them. */
export function createSignatureCheck(
  jwksUri: string | undefined,
  fetch: Fetch,
  limits: Pick<HttpLimits, 'totalMilliseconds'>,
): SignatureCheck {
  const address = jwksUri === undefined ? null : parseUrl(jwksUri);
  const keys =
    address === null
      ? null
      : createRemoteJWKSet(address, {
          timeoutDuration: limits.totalMilliseconds + 1000,
          // A renewal is rare: a key that was published a second ago must not cost a login.
          cooldownDuration: 0,
          [customFetch]: (url, request) => fetchKeys(fetch, url, request as { headers: Headers }),
        });
  return async (token) => {
    if (!keys) {
      throw new errors.JWKSInvalid('the provider names no keys');
    }
    try {
      await compactVerify(token, keys);
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) {
        throw error;
      }
      // The token names no key: any of those that fit may have signed it.
      for await (const key of error) {
        if (await signedBy(token, key)) {
          return;
        }
      }
      throw new errors.JWSSignatureVerificationFailed();
    }
  };
}

async function signedBy(token: string, key: Parameters<typeof compactVerify>[1]): Promise<boolean> {
  try {
    await compactVerify(token, key);
    return true;
  } catch {
    return false;
  }
}

async function fetchKeys(fetch: Fetch, url: string, request: { headers: Headers }): Promise<Response> {
  const answer = await fetch(url, { method: 'GET', headers: request.headers });
  if (answer.status !== 200) {
    throw new HttpFailure('status', true, answer.status, {
      retryAfterSeconds: retryAfterOf(answer.headers),
    });
  }
  try {
    // Some write null for what a key doesn't say, such as key_ops.
    const keys = JSON.parse(await answer.text(), (_name, value) => value ?? undefined);
    return Response.json(keys ?? null);
  } catch {
    throw new HttpFailure('notJson', true);
  }
}
