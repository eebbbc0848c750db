import type { Secret } from '../base/secret.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { SlotKind, VaultState } from '../ports/vault.ts';
import { type Broken, broken, decodeFile, type VaultHeader, type VaultParts } from './format.ts';
import { type OpenedGeneration, unsealGeneration } from './generation.ts';
import { findKey } from './key-in-keychain.ts';
import { openRecoverySlot } from './recovery-slot.ts';
import { openKeychainSlot, openPassphraseSlot, type PassphraseKdf } from './seal.ts';
import type { VaultFiles } from './vault-files.ts';

type Locked = { header: VaultHeader } & (
  | Extract<VaultState, { kind: 'locked' }>
  | { kind: 'wrong'; what: 'passphrase' | 'recoveryKey'; reason: string; ways: readonly SlotKind[] }
);
type Unlocked = OpenedGeneration | Locked | Broken;
type BrokenState = Extract<VaultState, { kind: 'broken' }>;
export type Loaded = OpenedGeneration | Locked | BrokenState | { kind: 'missing' };

/** What may open a vault now. `keychain` is null in passphrase mode. `recoveryKey`: the decoded 20 bytes. */
export interface Openers {
  keychain: Keychain | null;
  passphrase: Secret | null;
  recoveryKey?: Buffer | null;
  kdf: PassphraseKdf;
}

/** Reads the vault's file and opens it where it can. Changes nothing on disk. */
export async function loadVault(files: VaultFiles, openers: Openers): Promise<Loaded> {
  const found = await files.read(files.current);
  if (found.kind === 'missing') {
    return (await files.read(files.previous)).kind === 'missing'
      ? found
      : withHint(files, broken('missing', 'the vault’s file is gone, but its previous generation is there'));
  }
  const loaded = found.kind === 'bytes' ? await unlockFile(found.bytes, openers) : found;
  return loaded.kind === 'broken' ? withHint(files, loaded) : loaded;
}

/** Opens a file’s bytes by the recovery key where one is given, else by the passphrase, else by the keychain. */
async function unlockFile(bytes: Buffer, openers: Openers): Promise<Unlocked> {
  const parts = decodeFile(bytes);
  if (parts.kind === 'broken') {
    return parts;
  }
  const key = await openSlot(parts, openers);
  if (!Buffer.isBuffer(key)) {
    return key;
  }
  const opened = unsealGeneration(parts, key);
  if (opened.kind === 'broken') {
    key.fill(0);
  }
  return opened;
}

async function openSlot(
  { header }: VaultParts,
  { keychain, passphrase, recoveryKey, kdf }: Openers,
): Promise<Buffer | Locked | Broken> {
  const ways = waysOf(header);
  const wrong = (what: 'passphrase' | 'recoveryKey', reason: string) =>
    ({ kind: 'wrong', what, reason, ways, header }) as const;
  const locked = (how: 'keychain' | 'passphrase', reason: string) =>
    ({ kind: 'locked', how, reason, ways, header }) as const;
  const byPassphrase = slotOf(header, 'passphrase');
  const byRecoveryKey = slotOf(header, 'recoveryKey');
  const byKeychain = slotOf(header, 'keychain');
  if (recoveryKey) {
    const dataKey = byRecoveryKey && openRecoverySlot(header.id, byRecoveryKey, recoveryKey);
    return dataKey ?? wrong('recoveryKey', wrongRecoveryKey(byRecoveryKey !== undefined));
  }
  if (byPassphrase && passphrase) {
    const dataKey = await openPassphraseSlot(header.id, byPassphrase, passphrase, kdf);
    return dataKey ?? wrong('passphrase', 'the passphrase is wrong');
  }
  if (!byKeychain) {
    return byPassphrase
      ? locked('passphrase', 'the vault is protected by a passphrase')
      : broken('slots', 'the vault has no slot that this Lanyard can open');
  }
  if (!keychain) {
    return byPassphrase
      ? locked('passphrase', 'the vault is protected by a passphrase')
      : locked('keychain', 'its key is in the keychain, not under a passphrase: start without one');
  }
  const found = await findKey(keychain, header.id);
  if (found.kind === 'locked') {
    return locked('keychain', found.reason);
  }
  const dataKey = openKeychainSlot(header.id, byKeychain, found.key);
  found.key.fill(0);
  return dataKey ?? locked('keychain', 'the key in the keychain is not this vault’s');
}

function wrongRecoveryKey(hasOne: boolean): string {
  return hasOne ? 'this is not the recovery key of this vault' : 'this vault has no recovery key';
}

export function slotOf<Kind extends SlotKind>(header: VaultHeader, kind: Kind) {
  return header.slots.find((slot): slot is Extract<typeof slot, { kind: Kind }> => slot.kind === kind);
}

export function waysOf(header: VaultHeader): SlotKind[] {
  return header.slots.map((slot) => slot.kind);
}

/** Adds the hint with the next step. It names the previous generation only where that one is whole. */
async function withHint(files: VaultFiles, { code, reason }: Broken): Promise<BrokenState> {
  const previous = await files.read(files.previous);
  const whole = previous.kind === 'bytes' && decodeFile(previous.bytes).kind === 'parts';
  const hint = hintFor(files, code, whole);
  return { kind: 'broken', code, reason, hint };
}

function hintFor(files: VaultFiles, code: string, previousIsWhole: boolean): string {
  switch (code) {
    case 'vault.broken.newer':
    case 'vault.broken.content':
      return `update Lanyard to the version that wrote ${files.current}`;
    case 'vault.broken.unreadable':
    case 'vault.broken.owner':
    case 'vault.broken.symlink':
    case 'vault.broken.notAFile':
      return `make ${files.current} a plain file that you own, mode 0600, then run: lanyard unlock`;
    default:
      return previousIsWhole
        ? 'nothing was changed; the previous generation is whole: lanyard vault restore'
        : `nothing was changed; put a backup at ${files.current}, or move what is there away to begin anew`;
  }
}

/** Opens the previous generation, which is to replace a broken file. Changes nothing on disk. */
export async function loadPrevious(
  files: VaultFiles,
  openers: Openers,
): Promise<OpenedGeneration | { kind: 'refused'; refusal: Refusal }> {
  const found = await files.read(files.previous);
  const previous = found.kind === 'bytes' ? await unlockFile(found.bytes, openers) : found;
  return previous.kind === 'opened' ? previous : { kind: 'refused', refusal: noPrevious(previous) };
}

/** Opens another vault’s file: an export, or one that was set aside. Changes nothing on disk. */
export async function loadOther(
  files: VaultFiles,
  path: string,
  openers: Openers,
): Promise<OpenedGeneration | { kind: 'refused'; refusal: Refusal }> {
  const found = await files.read(path);
  const other = found.kind === 'bytes' ? await unlockFile(found.bytes, openers) : found;
  return other.kind === 'opened' ? other : { kind: 'refused', refusal: notLoaded(other, path) };
}

function notLoaded(found: Exclude<Unlocked, OpenedGeneration> | { kind: 'missing' }, path: string): Refusal {
  switch (found.kind) {
    case 'missing':
      return refuse('notFound', 'vault.other.missing', `there is no file ${path}`);
    case 'wrong':
      return refuse('locked', `vault.${found.what}.wrong`, found.reason);
    case 'locked':
      return found.how === 'passphrase'
        ? refuse('locked', 'vault.passphrase.needed', `${path} is opened by its passphrase`)
        : refuse('locked', 'vault.locked', `${path} can’t be opened: ${found.reason}`);
    case 'broken':
      return refuse('usage', found.code, `${path} can’t be read as a vault: ${found.reason}`);
  }
}

function noPrevious(found: Exclude<Unlocked, OpenedGeneration> | { kind: 'missing' }): Refusal {
  switch (found.kind) {
    case 'missing':
      return refuse('notFound', 'vault.previous.missing', 'there is no previous generation');
    case 'wrong':
      return refuse('locked', `vault.${found.what}.wrong`, found.reason);
    case 'locked':
      return refuse('locked', 'vault.locked', `the previous generation is locked: ${found.reason}`);
    case 'broken':
      return refuse('internal', found.code, `the previous generation is broken, too: ${found.reason}`);
  }
}
