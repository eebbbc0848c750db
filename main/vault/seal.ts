import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import type { Secret } from '../base/secret.ts';
import type { ScryptParameters, SlotOf } from './format.ts';

// AES-256-GCM and scrypt only: BoringSSL, which Electron has for node:crypto, knows both.
const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Length of data keys and wrapping keys: AES-256. */
export const keyBytes = 32;

/** How a passphrase becomes the key of its slot. */
export interface PassphraseKdf {
  /** The cost of a new slot. A slot names its own. */
  cost: Pick<ScryptParameters, 'N' | 'r' | 'p'>;
  /** `keyBytes` bytes. */
  derive(passphrase: Buffer, kdf: ScryptParameters): Promise<Buffer>;
}

/** Scrypt. A new slot costs 128 MiB and about half a second. */
export const scryptKdf: PassphraseKdf = {
  cost: { N: 2 ** 17, r: 8, p: 1 },
  derive: (passphrase, { N, r, p, salt }) => {
    // Node’s default limit is 32 MiB; the extra 4 MiB are for scrypt’s other buffers.
    const maxmem = 128 * N * r + 128 * r * p + 4 * 1024 * 1024;
    return new Promise<Buffer>((resolve, reject) => {
      scrypt(passphrase, Buffer.from(salt, 'base64'), keyBytes, { N, r, p, maxmem }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  },
};

/** Seals under a fresh random nonce. Returns nonce (12 bytes), ciphertext, tag (16 bytes) (rule: sealed-vault). */
export function seal(key: Buffer, plain: Buffer, authenticated: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(authenticated);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Null where key, bytes or authenticated data differ from those that were sealed. */
export function unseal(key: Buffer, sealed: Buffer, authenticated: Buffer): Buffer | null {
  const decipher = createDecipheriv(cipherName, key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(authenticated);
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes)),
      decipher.final(),
    ]);
  } catch {
    return null;
  }
}

/** Binds a wrapped key to its vault and to how its wrapping key is derived: a slot can’t be moved or weakened. */
export function slotBinding(id: string, ...shape: readonly (string | number)[]): Buffer {
  return Buffer.from(JSON.stringify(['lanyard vault slot', 1, id, ...shape]), 'utf8');
}

const keychainBinding = (id: string) => slotBinding(id, 'keychain');
const passphraseBinding = (id: string, kdf: ScryptParameters) =>
  slotBinding(id, 'passphrase', kdf.name, kdf.N, kdf.r, kdf.p, kdf.salt);

/** Wraps the data key under the keychain’s key. Both have `keyBytes` bytes. */
export function makeKeychainSlot(id: string, dataKey: Buffer, key: Buffer): SlotOf<'keychain'> {
  return { kind: 'keychain', wrapped: seal(key, dataKey, keychainBinding(id)).toString('base64') };
}

/** The data key, or null where `key`, of any length, doesn’t fit this slot. */
export function openKeychainSlot(id: string, slot: SlotOf<'keychain'>, key: Buffer): Buffer | null {
  if (key.length !== keyBytes) {
    return null;
  }
  return unseal(key, Buffer.from(slot.wrapped, 'base64'), keychainBinding(id));
}

/** Wraps the data key under a key that `by` derives from the passphrase and a new random salt. */
export async function makePassphraseSlot(
  id: string,
  dataKey: Buffer,
  passphrase: Secret,
  by: PassphraseKdf,
): Promise<SlotOf<'passphrase'>> {
  const { N, r, p } = by.cost;
  const kdf: ScryptParameters = { name: 'scrypt', N, r, p, salt: randomBytes(16).toString('base64') };
  const key = await deriveKey(passphrase, kdf, by);
  const wrapped = seal(key, dataKey, passphraseBinding(id, kdf)).toString('base64');
  key.fill(0);
  return { kind: 'passphrase', kdf, wrapped };
}

/** The data key, or null where the passphrase doesn’t fit this slot. Derives one key. */
export async function openPassphraseSlot(
  id: string,
  slot: SlotOf<'passphrase'>,
  passphrase: Secret,
  by: PassphraseKdf,
): Promise<Buffer | null> {
  const key = await deriveKey(passphrase, slot.kdf, by);
  const dataKey = unseal(key, Buffer.from(slot.wrapped, 'base64'), passphraseBinding(id, slot.kdf));
  key.fill(0);
  return dataKey;
}

async function deriveKey(passphrase: Secret, kdf: ScryptParameters, by: PassphraseKdf): Promise<Buffer> {
  // NFC: one passphrase typed on two systems gives the same bytes.
  const bytes = Buffer.from(passphrase.reveal().normalize('NFC'), 'utf8');
  try {
    return await by.derive(bytes, kdf);
  } finally {
    bytes.fill(0);
  }
}
