import { decodeJwt } from 'jose';

/** The validity of a token; milliseconds since 1970, null where it is not stated. */
export interface TokenLife {
  issuedAt: number | null;
  expiresAt: number | null;
}

/**
 * The validity that a JWT states (RFC 7519: `exp`, and `iat`, else `nbf`). Null where `token` is no JWT: an opaque
 * token has no expiry that a client could see. Nothing is verified here: the cluster does that.
 */
export function jwtLife(token: string): TokenLife | null {
  const claims = claimsOf(token);
  return (
    claims && {
      issuedAt: milliseconds(claims['iat']) ?? milliseconds(claims['nbf']),
      expiresAt: milliseconds(claims['exp']),
    }
  );
}

/** The `sub` that a JWT states, unverified; null: it is no JWT, or states none. */
export function jwtSubject(token: string): string | null {
  const subject = claimsOf(token)?.['sub'];
  return typeof subject === 'string' ? subject : null;
}

function claimsOf(token: string): Record<string, unknown> | null {
  // Check for three parts first: an error with its stack costs more than all the rest.
  if (!/^[^.]*\.[^.]+\.[^.]*$/.test(token)) {
    return null;
  }
  try {
    return decodeJwt(token);
  } catch {
    return null;
  }
}

/** A NumericDate; an impossible date counts as absent. */
function milliseconds(value: unknown): number | null {
  if (typeof value !== 'number') {
    return null;
  }
  const result = Math.floor(value * 1000);
  return Number.isSafeInteger(result) && Math.abs(result) <= 8.64e15 ? result : null;
}
