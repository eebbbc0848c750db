import { createPublicKey, generateKeyPair, type JsonWebKey, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

export type SigningAlgorithm = 'RS256' | 'ES256';

/** A signing key with its key id, and the part of it that is published. */
export interface ProviderKeys {
  algorithm: SigningAlgorithm;
  keyId: string;
  signing: JsonWebKey;
  published: JsonWebKey;
}

/** A new signing key; `keyId` is random unless given. */
export async function makeProviderKeys(
  algorithm: SigningAlgorithm,
  keyId: string = randomUUID(),
): Promise<ProviderKeys> {
  const generate = promisify(generateKeyPair);
  const { privateKey } =
    algorithm === 'RS256'
      ? await generate('rsa', { modulusLength: 2048 })
      : await generate('ec', { namedCurve: 'P-256' });
  const name = { kid: keyId, alg: algorithm, use: 'sig' };
  return {
    algorithm,
    keyId,
    signing: { ...privateKey.export({ format: 'jwk' }), ...name },
    published: { ...createPublicKey(privateKey).export({ format: 'jwk' }), ...name },
  };
}
