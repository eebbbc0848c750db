import { randomBytes, randomUUID } from 'node:crypto';
import type { Secret } from '../base/secret.ts';
import { inOneLine } from '../contract/refusal.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { VaultContent } from '../ports/vault.ts';
import { emptyContent } from './content.ts';
import type { Slot } from './format.ts';
import { type OpenedGeneration, sealGeneration } from './generation.ts';
import { keepNewKey, keychainService } from './key-in-keychain.ts';
import { passphraseFault } from './passphrase-rules.ts';
import { keyBytes, makeKeychainSlot, makePassphraseSlot, type PassphraseKdf } from './seal.ts';
import type { VaultFiles, Written } from './vault-files.ts';

/** How a new vault is protected: never by a key that is stored beside it (rule: sealed-vault). */
export type Protection =
  | { kind: 'keychain'; keychain: Keychain }
  | { kind: 'passphrase'; passphrase: Secret; kdf: PassphraseKdf };

export type Created = OpenedGeneration | { kind: 'none'; reason: string };

/** Makes an empty vault with one slot. Never replaces an existing file. */
export async function createVault(
  files: VaultFiles,
  protection: Protection,
  createdAt: number,
): Promise<Created> {
  const made = await makeVault(protection, { createdAt, generation: 1, content: emptyContent });
  if (!made.ok) {
    return { kind: 'none', reason: made.reason };
  }
  const written = await files.create(made.file);
  if (written.ok) {
    return made.opened;
  }
  await made.abandon(written);
  return { kind: 'none', reason: inOneLine(written.error) };
}

/** A vault that isn’t on disk yet. */
export interface MadeVault {
  ok: true;
  opened: OpenedGeneration;
  file: Buffer;
  /** The same content, sealed under another nonce. */
  again(): Buffer;
  /** After a write that failed: erases the data key. Deletes the keychain’s key unless the file is there after all. */
  abandon(written: Written & { ok: false }): Promise<void>;
}

/**
 * Makes a vault with a new id, a new data key and one slot. In keychain mode the keychain already has the slot’s key.
 * `createdAt`: milliseconds since 1970.
 */
export async function makeVault(
  protection: Protection,
  { createdAt, generation, content }: { createdAt: number; generation: number; content: VaultContent },
): Promise<MadeVault | { ok: false; reason: string }> {
  const id = randomUUID();
  const dataKey = randomBytes(keyBytes);
  const made = await makeSlot(id, dataKey, protection);
  if (!made.ok) {
    return made;
  }
  const header = { id, generation, createdAt, slots: [made.slot] };
  const sealed = sealGeneration(header, dataKey, content);
  return {
    ok: true,
    opened: { kind: 'opened', header: sealed.header, dataKey, content: sealed.content },
    file: sealed.file,
    again: () => sealGeneration(header, dataKey, content).file,
    abandon: async ({ isApplied }) => {
      dataKey.fill(0);
      if (protection.kind === 'keychain' && !isApplied) {
        await protection.keychain.delete(keychainService, id);
      }
    },
  };
}

async function makeSlot(
  id: string,
  dataKey: Buffer,
  protection: Protection,
): Promise<{ ok: true; slot: Slot } | { ok: false; reason: string }> {
  if (protection.kind === 'passphrase') {
    const { passphrase, kdf } = protection;
    const fault = passphraseFault(passphrase);
    return fault
      ? { ok: false, reason: fault.message }
      : { ok: true, slot: await makePassphraseSlot(id, dataKey, passphrase, kdf) };
  }
  const kept = await keepNewKey(protection.keychain, id);
  if (!kept.ok) {
    return kept;
  }
  const slot = makeKeychainSlot(id, dataKey, kept.key);
  kept.key.fill(0);
  return { ok: true, slot };
}
