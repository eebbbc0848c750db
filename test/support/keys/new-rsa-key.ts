import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keys of earlier runs: making one takes longer than most tests. */
const cache = join(import.meta.dirname, '..', '..', '..', '.cache');
const kept = join(cache, 'test-keys');
/** Another user, as root’s tests of the app run as, keeps none. */
const isOwn = !existsSync(cache) || statSync(cache).uid === process.getuid?.();
let taken = 0;

/** A private RSA key of 2,048 bits that no other call in this process gets. */
export function newRsaKey(): KeyObject {
  const file = join(kept, `rsa-${taken++}.pem`);
  if (isOwn && existsSync(file)) {
    return createPrivateKey(readFileSync(file));
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  if (!isOwn) {
    return privateKey;
  }
  mkdirSync(kept, { recursive: true });
  // Others may do the same at this moment.
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  renameSync(own, file);
  return privateKey;
}
