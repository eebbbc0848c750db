import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Secret } from '../../base/secret.ts';

/** A client's private key, with the JWS algorithms that it can sign with, best first (RFC 7518, RFC 9864). */
export interface ClientKey {
  key: KeyObject;
  /** The JWK's `kid`; null: the provider finds the key without it. */
  keyId: string | null;
  algorithms: readonly string[];
}

const smallestRsaBits = 2048;

const ecAlgorithms: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** Reads PEM (PKCS#8) or a JWK. `fault` continues "the key …", and reveals nothing of the key itself. */
export function parseClientKey(text: Secret): { ok: true; key: ClientKey } | { ok: false; fault: string } {
  const value = text.reveal().trim();
  const found = value.startsWith('{') ? fromJwk(value) : fromPem(value);
  if (typeof found === 'string') {
    return { ok: false, fault: found };
  }
  const algorithms = algorithmsOf(found.key);
  if (typeof algorithms === 'string') {
    return { ok: false, fault: algorithms };
  }
  const { key, keyId, algorithm } = found;
  if (algorithm !== null && !algorithms.includes(algorithm)) {
    return { ok: false, fault: 'says an alg that a key of its kind can’t sign with' };
  }
  return { ok: true, key: { key, keyId, algorithms: algorithm === null ? algorithms : [algorithm] } };
}

interface Found {
  key: KeyObject;
  keyId: string | null;
  /** The JWK's `alg`. */
  algorithm: string | null;
}

function fromPem(value: string): Found | string {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----/.test(value)) {
    return 'is encrypted: lanyard’s vault keeps it encrypted, so give it without its own passphrase';
  }
  if (!/-----BEGIN PRIVATE KEY-----/.test(value)) {
    return 'is neither a private key in PEM (PKCS#8: BEGIN PRIVATE KEY) nor a JWK';
  }
  try {
    return { key: createPrivateKey({ key: value, format: 'pem' }), keyId: null, algorithm: null };
  } catch {
    return 'is PEM that can’t be read';
  }
}

function fromJwk(value: string): Found | string {
  try {
    const jwk = JSON.parse(value) as Record<string, unknown>;
    const [keyId, algorithm] = [jwk['kid'], jwk['alg']];
    if (typeof jwk['d'] !== 'string') {
      return 'is a JWK without its private part';
    }
    return {
      key: createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }),
      keyId: typeof keyId === 'string' && keyId !== '' ? keyId : null,
      algorithm: typeof algorithm === 'string' ? algorithm : null,
    };
  } catch {
    return 'is a JWK that can’t be read';
  }
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] | string {
  switch (asymmetricKeyType) {
    case 'rsa':
      // In the order that most providers accept: RS256 is the one that all must support (OpenID Connect Core, 15.1).
      return (asymmetricKeyDetails?.modulusLength ?? 0) >= smallestRsaBits
        ? ['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512']
        : `is too short: RSA of ${smallestRsaBits} bits at least`;
    case 'ec': {
      const curve = asymmetricKeyDetails?.namedCurve ?? '';
      const algorithm = Object.hasOwn(ecAlgorithms, curve) ? ecAlgorithms[curve] : undefined;
      return algorithm === undefined ? 'is on another curve than P-256, P-384 or P-521' : [algorithm];
    }
    case 'ed25519':
      return ['EdDSA', 'Ed25519'];
    default:
      return 'is of a kind that can’t be used: RSA, EC (P-256, P-384, P-521) or Ed25519';
  }
}
