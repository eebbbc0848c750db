import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type SigningAlgorithm = 'RS256' | 'ES256';

/** A signing key with its key id, and the part of it that is published. */
export interface ProviderKeys {
  algorithm: SigningAlgorithm;
  keyId: string;
  signing: JsonWebKey;
  published: JsonWebKey;
}

const generate = promisify(generateKeyPair);
/** RSA keys of earlier runs: making one takes longer than most tests. */
const kept = join(import.meta.dirname, '..', '..', '..', '.cache', 'test-keys');
let taken = 0;

/** An RSA key that no other provider of this process has. */
async function rsaKey(): Promise<KeyObject> {
  const file = join(kept, `rsa-${taken++}.pem`);
  if (existsSync(file)) {
    return createPrivateKey(readFileSync(file));
  }
  const { privateKey } = await generate('rsa', { modulusLength: 2048 });
  mkdirSync(kept, { recursive: true });
  // Others may do the same at this moment.
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  renameSync(own, file);
  return privateKey;
}

/** A signing key; `keyId` is random unless given. */
export async function makeProviderKeys(
  algorithm: SigningAlgorithm,
  keyId: string = randomUUID(),
): Promise<ProviderKeys> {
  const privateKey =
    algorithm === 'RS256' ? await rsaKey() : (await generate('ec', { namedCurve: 'P-256' })).privateKey;
  const name = { kid: keyId, alg: algorithm, use: 'sig' };
  return {
    algorithm,
    keyId,
    signing: { ...privateKey.export({ format: 'jwk' }), ...name },
    published: { ...createPublicKey(privateKey).export({ format: 'jwk' }), ...name },
  };
}
