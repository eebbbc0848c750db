import { Secret } from '../../base/secret.ts';
import type { CachedCredential } from '../grants.ts';

/** A token of the account corp, for no audience and no cluster alone. */
export function cachedCredential(
  more: Partial<CachedCredential> = {},
  expiresAt: number | null = 9,
): CachedCredential {
  return {
    account: 'corp',
    audience: null,
    target: null,
    credential: { token: new Secret('canary'), certificate: null, issuedAt: 1, expiresAt },
    generation: 4,
    isShaped: false,
    renewsAt: 8,
    trouble: null,
    ...more,
  };
}
