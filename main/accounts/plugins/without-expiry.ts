import type { Credential } from '../../ports/account.ts';

/** A credential whose giver promises no expiry. Times are in milliseconds since 1970. */
export type Unpromised = Pick<Credential, 'token' | 'certificate' | 'issuedAt'> & {
  /** The end that token or certificate themselves state. */
  ownExpiry: number | null;
};

export interface KeptFor {
  now: number;
  /** How long it is kept for all, in seconds; undefined: for those who waited, for their life (KEP-541). */
  cacheSeconds: number | undefined;
  /** Those who waited for it. */
  clients: readonly string[];
}

/** How long it is kept. The expiry that it states is for display; but one that has expired is none. */
export function withoutExpiry(
  { token, certificate, issuedAt, ownExpiry }: Unpromised,
  { now, cacheSeconds, clients }: KeptFor,
): { ok: true; credential: Credential } | { ok: false; expiredAt: number } {
  if (ownExpiry !== null && ownExpiry <= now) {
    return { ok: false, expiredAt: ownExpiry };
  }
  if (cacheSeconds === undefined) {
    const noExpiry = { ownExpiry, onlyFor: clients };
    return { ok: true, credential: { token, certificate, issuedAt, expiresAt: ownExpiry, noExpiry } };
  }
  const until = Math.min(now + cacheSeconds * 1000, ownExpiry ?? Number.POSITIVE_INFINITY);
  const noExpiry = { ownExpiry, onlyFor: null };
  return { ok: true, credential: { token, certificate, issuedAt: now, expiresAt: until, noExpiry } };
}
