import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { IDToken, ServerMetadata } from 'openid-client';
import { z } from 'zod';
import type { Secret } from '../../../base/secret.ts';
import { AnswerFault } from './answer-fault.ts';
import { parseFields } from './answers.ts';

/** How far the provider's clock may be off. */
const toleratedSeconds = 30;

/** A claim of a token, signed though it is, that says the token isn't the one that was asked for. */
export class ClaimFault extends Error {
  readonly code = 'OAUTH_JWT_CLAIM_COMPARISON_FAILED';
  readonly claim: 'iss' | 'aud' | 'azp' | 'nonce' | 'at_hash';

  constructor(claim: ClaimFault['claim']) {
    super(`the id token’s ${claim} is another`);
    this.claim = claim;
  }
}

/** OpenID Connect Core 2, and RFC 7519, 4.1. A session can't be pinned to an empty name. */
const claimTypes = z.looseObject({
  iss: z.string(),
  sub: z.string().regex(/\S/),
  aud: z.union([z.string(), z.array(z.unknown())]),
  exp: z.number(),
  iat: z.number(),
  nbf: z.number().optional(),
  auth_time: z.number().nonnegative().optional(),
});

/**
 * The claims of an id token that came from the token endpoint, checked by OpenID Connect Core 3.1.3.7 (errata set 2);
 * throws ClaimFault or AnswerFault. The signature is another's business (signature.ts). Not the library's check: it
 * takes null for a claim, where the provider means none, and refuses several audiences without azp.
 */
export function checkIdToken(
  idToken: Secret,
  of: {
    metadata: ServerMetadata;
    clientId: string;
    /** Of the authorization request; null: it had none. */
    nonce: Secret | null;
    accessToken: Secret;
  },
): IDToken {
  const { metadata, clientId } = of;
  const { header, payload } = decode(idToken.reveal());
  // RFC 7515, 4.1.11: no extension is understood here.
  if (header.crit !== undefined) {
    throw new AnswerFault('unsupported', 'id_token');
  }
  const algorithms: unknown = metadata.id_token_signing_alg_values_supported;
  if (!(Array.isArray(algorithms) ? algorithms : ['RS256']).includes(header.alg)) {
    throw new AnswerFault('malformed', 'id_token.alg');
  }
  const claims = parseFields(claimTypes, payload, 'id_token.') as IDToken;
  if (claims.iss !== metadata.issuer) {
    throw new ClaimFault('iss');
  }
  // Other audiences beside this client are the provider's choice: it knows whom it makes the token for.
  if (!(Array.isArray(claims.aud) ? claims.aud : [claims.aud]).includes(clientId)) {
    throw new ClaimFault('aud');
  }
  if (claims.azp !== undefined && claims.azp !== clientId) {
    throw new ClaimFault('azp');
  }
  if (of.nonce && claims.nonce !== of.nonce.reveal()) {
    throw new ClaimFault('nonce');
  }
  const seconds = Date.now() / 1000;
  if (claims.exp <= seconds - toleratedSeconds || (claims.nbf ?? 0) > seconds + toleratedSeconds) {
    throw new AnswerFault('expired', null);
  }
  checkAccessTokenHash(header.alg, claims['at_hash'], of.accessToken);
  return claims;
}

function decode(token: string) {
  // RFC 7516, 3.1: encrypted.
  if (token.split('.').length === 5) {
    throw new AnswerFault('unsupported', 'id_token');
  }
  try {
    return { header: decodeProtectedHeader(token), payload: decodeJwt(token) };
  } catch {
    throw new AnswerFault('malformed', 'id_token');
  }
}

/**
 * OpenID Connect Core 3.1.3.8: where the id token has `at_hash`, it belongs to this access token and no other. An
 * algorithm without a known hash is left to the signature's check.
 */
export function checkAccessTokenHash(
  algorithm: string | undefined,
  claimed: unknown,
  accessToken: Secret,
): void {
  const hash = hashOf(algorithm);
  if (claimed === undefined || hash === null) {
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
