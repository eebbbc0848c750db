import { randomBytes } from 'node:crypto';
import type { Keychain } from '../ports/keychain.ts';
import { keyBytes } from './seal.ts';

/** The service name of the vaults’ keys in the keychain; the account name is the vault’s id. */
export const keychainService = 'Lanyard';

export type KeyFound =
  | { kind: 'key'; key: Buffer }
  /** Missing or locked: Linux doesn’t tell a locked keyring from a missing key. */
  | { kind: 'locked'; reason: string };

/** Reads a vault’s key from the keychain. Never throws. */
export async function findKey(keychain: Keychain, vaultId: string): Promise<KeyFound> {
  const found = await keychain.get(keychainService, vaultId);
  if (!found.ok) {
    return { kind: 'locked', reason: found.message };
  }
  return found.value === null
    ? { kind: 'locked', reason: 'the vault’s key is not in the keychain, or the keychain is locked' }
    : { kind: 'key', key: Buffer.from(found.value, 'base64') };
}

/** Makes a key for a new vault and stores it in the keychain. Reads it back before it is trusted. */
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
