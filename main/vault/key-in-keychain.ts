import { randomBytes } from 'node:crypto';
import type { Keychain } from '../ports/keychain.ts';
import { keyBytes } from './seal.ts';

/** Under which the vaults' keys are kept; the name beside it is the vault's id. */
export const keychainService = 'Lanyard';

export type KeyFound =
  | { kind: 'key'; key: Buffer }
  /** Not there, or not to be had now: a locked keyring on Linux can't be told from a missing key. */
  | { kind: 'locked'; reason: string };

export async function findKey(keychain: Keychain, vaultId: string): Promise<KeyFound> {
  const found = await keychain.get(keychainService, vaultId);
  if (!found.ok) {
    return { kind: 'locked', reason: found.message };
  }
  return found.value === null
    ? { kind: 'locked', reason: 'the vault’s key is not in the keychain, or the keychain is locked' }
    : { kind: 'key', key: Buffer.from(found.value, 'base64') };
}

/** A key for a vault that is about to be made. Trusted only after it was read back. */
export async function keepNewKey(
  keychain: Keychain,
  vaultId: string,
): Promise<{ ok: true; key: Buffer } | { ok: false; reason: string }> {
  const key = randomBytes(keyBytes);
  const text = key.toString('base64');
  const stored = await keychain.set(keychainService, vaultId, text);
  if (!stored.ok) {
    return { ok: false, reason: stored.message };
  }
  const found = await keychain.get(keychainService, vaultId);
  if (!found.ok) {
    return { ok: false, reason: found.message };
  }
  return found.value === text
    ? { ok: true, key }
    : { ok: false, reason: 'the keychain took a key but doesn’t give it back; it may be locked' };
}
