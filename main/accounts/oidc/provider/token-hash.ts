import { createHash } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import type { Secret } from '../../../base/secret.ts';

/** A claim of a token, signed though it is, that says the token isn't the one that was asked for. */
export class ClaimFault extends Error {
  readonly code = 'OAUTH_JWT_CLAIM_COMPARISON_FAILED';
  readonly claim: 'nonce' | 'at_hash' | 'azp';

  constructor(claim: ClaimFault['claim']) {
    super(`the id token’s ${claim} is another`);
    this.claim = claim;
  }
}

/**
 * OpenID Connect Core 3.1.3.8: where the id token has `at_hash`, it belongs to this access token and no other.
 * Throws ClaimFault. An algorithm without a known hash is left to the signature's check.
 */
export function checkAccessTokenHash(idToken: Secret, claimed: unknown, accessToken: Secret): void {
  if (claimed === undefined) {
    return;
  }
  const hash = hashOf(decodeProtectedHeader(idToken.reveal()).alg);
  if (hash === null) {
    return;
  }
  const digest = createHash(hash).update(accessToken.reveal(), 'ascii').digest();
  if (claimed !== digest.subarray(0, digest.length / 2).toString('base64url')) {
    throw new ClaimFault('at_hash');
  }
}

function hashOf(algorithm: string | undefined): string | null {
  const bits = /^(?:RS|PS|ES)(256|384|512)$/.exec(algorithm ?? '')?.[1];
  if (bits !== undefined) {
    return `sha${bits}`;
  }
  return algorithm === 'EdDSA' || algorithm === 'Ed25519' ? 'sha512' : null;
}
