import { randomBytes, randomUUID } from 'node:crypto';
import type { Secret } from '../base/secret.ts';
import type { Keychain } from '../ports/keychain.ts';
import { emptyContent } from './content.ts';
import type { Slot } from './format.ts';
import { type OpenedGeneration, sealGeneration } from './generation.ts';
import { keepNewKey, keychainService } from './key-in-keychain.ts';
import { keyBytes, makeKeychainSlot, makePassphraseSlot, type ScryptCost } from './seal.ts';
import type { VaultFiles } from './vault-files.ts';

/** How a new vault is protected; never by a made-up key. */
export type Protection =
  | { kind: 'keychain'; keychain: Keychain }
  | { kind: 'passphrase'; passphrase: Secret; cost: ScryptCost };

export type Created = OpenedGeneration | { kind: 'none'; reason: string };

/** Makes an empty vault with one slot. Never takes the place of a file that is there. */
export async function createVault(
  files: VaultFiles,
  protection: Protection,
  createdAt: number,
): Promise<Created> {
  const id = randomUUID();
  const dataKey = randomBytes(keyBytes);
  const made = await makeSlot(id, dataKey, protection);
  if (!made.ok) {
    return { kind: 'none', reason: made.reason };
  }
  const header = { id, generation: 1, createdAt, slots: [made.slot] };
  const sealed = sealGeneration(header, dataKey, emptyContent);
  const written = await files.create(sealed.file);
  if (written.ok) {
    return { kind: 'opened', header, dataKey, content: sealed.content };
  }
  dataKey.fill(0);
  if (protection.kind === 'keychain' && !written.inForce) {
    await protection.keychain.delete(keychainService, id);
  }
  return { kind: 'none', reason: `${written.error.message}; ${written.error.hint}` };
}

async function makeSlot(
  id: string,
  dataKey: Buffer,
  protection: Protection,
): Promise<{ ok: true; slot: Slot } | { ok: false; reason: string }> {
  if (protection.kind === 'passphrase') {
    const { passphrase, cost } = protection;
    return passphrase.isEmpty
      ? { ok: false, reason: 'the passphrase is empty' }
      : { ok: true, slot: await makePassphraseSlot(id, dataKey, passphrase, cost) };
  }
  const kept = await keepNewKey(protection.keychain, id);
  if (!kept.ok) {
    return kept;
  }
  const slot = makeKeychainSlot(id, dataKey, kept.key);
  kept.key.fill(0);
  return { ok: true, slot };
}
