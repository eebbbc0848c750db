import { createPublicKey, generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import { newRsaKey } from '../keys/new-rsa-key.ts';

export type SigningAlgorithm = 'RS256' | 'ES256';

/** A signing key with its key id, and the part of it that is published. */
export interface ProviderKeys {
  algorithm: SigningAlgorithm;
  keyId: string;
  signing: JsonWebKey;
  published: JsonWebKey;
}

/** A signing key; `keyId` is random unless given. */
export function makeProviderKeys(algorithm: SigningAlgorithm, keyId: string = randomUUID()): ProviderKeys {
  const privateKey =
    algorithm === 'RS256' ? newRsaKey() : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const name = { kid: keyId, alg: algorithm, use: 'sig' };
  return {
    algorithm,
    keyId,
    signing: { ...privateKey.export({ format: 'jwk' }), ...name },
    published: { ...createPublicKey(privateKey).export({ format: 'jwk' }), ...name },
  };
}
