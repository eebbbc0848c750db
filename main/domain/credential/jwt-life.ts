import { decodeJwt } from 'jose';

/** From when to when a token is good; milliseconds since 1970, null where it doesn't say. */
export interface TokenLife {
  issuedAt: number | null;
  expiresAt: number | null;
}

/**
 * The life that a JWT tells of itself (RFC 7519: `exp`, and `iat`, else `nbf`). Null where `token` is no JWT: an
 * opaque token has no end that a client could see. Nothing is verified here: the cluster does that.
 */
export function jwtLife(token: string): TokenLife | null {
  let claims: Record<string, unknown>;
  // Three parts: an error with its stack costs more than all else here.
  if (!/^[^.]*\.[^.]+\.[^.]*$/.test(token)) {
    return null;
  }
  try {
    claims = decodeJwt(token);
  } catch {
    return null;
  }
  return {
    issuedAt: milliseconds(claims['iat']) ?? milliseconds(claims['nbf']),
    expiresAt: milliseconds(claims['exp']),
  };
}

/** A NumericDate; what can't be a date counts as not said. */
function milliseconds(value: unknown): number | null {
  if (typeof value !== 'number') {
    return null;
  }
  const result = Math.floor(value * 1000);
  return Number.isSafeInteger(result) && Math.abs(result) <= 8.64e15 ? result : null;
}
