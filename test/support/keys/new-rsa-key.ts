import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../cache-folder.ts';

/** Keys of earlier runs: making one takes longer than most tests. */
const kept = cacheFolder('test-keys');
let taken = 0;

/** A private RSA key of 2,048 bits that no other call in this process gets. */
export function newRsaKey(): KeyObject {
  const file = join(kept, `rsa-${taken++}.pem`);
  if (existsSync(file)) {
    return createPrivateKey(readFileSync(file));
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  // Others may do the same at this moment.
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  renameSync(own, file);
  return privateKey;
}
