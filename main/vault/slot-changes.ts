import { randomBytes } from 'node:crypto';
import type { Secret } from '../base/secret.ts';
import { type Refusal, refuse } from '../contract/refusal.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Slot, VaultHeader } from './format.ts';
import type { OpenedGeneration } from './generation.ts';
import { findKey, keepNewKey, keychainService } from './key-in-keychain.ts';
import { slotOf } from './load.ts';
import { passphraseFault } from './passphrase-rules.ts';
import { parseRecoveryKey } from './recovery-key.ts';
import { makeRecoverySlot, openRecoverySlot, resealRecoverySlot } from './recovery-slot.ts';
import {
  keyBytes,
  makeKeychainSlot,
  makePassphraseSlot,
  openKeychainSlot,
  openPassphraseSlot,
  type PassphraseKdf,
} from './seal.ts';

/** Shows that the user may change the unlock methods: the passphrase or the recovery key. */
export interface Proof {
  passphrase?: Secret | undefined;
  recoveryKey?: Secret | undefined;
}

export interface SlotTools {
  /** Null in passphrase mode. */
  keychain: Keychain | null;
  kdf: PassphraseKdf;
}

/** The unlock methods after the change, and the data key that they wrap. */
export interface SlotPlan {
  ok: true;
  slots: Slot[];
  dataKey: Buffer;
  /** Called once the slots are on disk. */
  onWritten?: () => Promise<void>;
  /** Called once it is sure that they are not. */
  onFailed?: () => Promise<void>;
}

/** Works out a change of the unlock methods, or refuses it. Writes nothing. */
export type SlotChange = (opened: OpenedGeneration, tools: SlotTools) => Promise<SlotPlan | Refusal>;

export interface NewPassphrase {
  passphrase: Secret;
  /** Removes the keychain slot: each start then needs the passphrase. */
  withoutKeychain?: boolean | undefined;
}

/** Adds a passphrase to a vault without one. */
export function settingPassphrase({ passphrase, withoutKeychain }: NewPassphrase): SlotChange {
  return async (opened, tools) => {
    const { header } = opened;
    const fault = passphraseFault(passphrase);
    if (fault) {
      return refuse('usage', fault.code, fault.message);
    }
    if (slotOf(header, 'passphrase')) {
      const hint = 'lanyard passphrase change';
      return refuse('usage', 'vault.passphrase.exists', 'the vault has a passphrase already', hint);
    }
    if (withoutKeychain) {
      return rotated(opened, tools, { passphrase, withoutKeychain });
    }
    // Nothing is removed, so the data key stays.
    const slot = await makePassphraseSlot(header.id, opened.dataKey, passphrase, tools.kdf);
    return { ok: true, slots: [...header.slots, slot], dataKey: opened.dataKey };
  };
}

/** Replaces the passphrase. */
export function changingPassphrase(proof: Proof, next: NewPassphrase): SlotChange {
  return async (opened, tools) => {
    const refusal = (await refusalOfProof(opened.header, proof, tools.kdf)) ?? faultOf(next.passphrase);
    return refusal ?? rotated(opened, tools, next);
  };
}

function faultOf(passphrase: Secret): Refusal | null {
  const fault = passphraseFault(passphrase);
  return fault && refuse('usage', fault.code, fault.message);
}

/** Removes the passphrase. The vault gets a keychain slot if it has none. */
export function removingPassphrase(proof: Proof): SlotChange {
  return async (opened, tools) =>
    (await refusalOfProof(opened.header, proof, tools.kdf)) ??
    (slotOf(opened.header, 'keychain') ? rotated(opened, tools, {}) : byKeychainAgain(opened, tools));
}

async function byKeychainAgain(opened: OpenedGeneration, tools: SlotTools): Promise<SlotPlan | Refusal> {
  const { id } = opened.header;
  const { keychain } = tools;
  const kept = keychain
    ? await keepNewKey(keychain, id)
    : { ok: false as const, reason: 'this agent was started with a passphrase file' };
  if (!kept.ok || !keychain) {
    const reason = kept.ok ? '' : kept.reason;
    return refuse(
      'usage',
      'vault.slots.last',
      `the passphrase is the only way into the vault, and the keychain can’t be one: ${reason}`,
      'it stays; change it with: lanyard passphrase change',
    );
  }
  const plan = await rotated(opened, tools, { keychainKey: kept.key });
  kept.key.fill(0);
  const takeBack = async () => void (await keychain.delete(keychainService, id));
  if (!plan.ok) {
    await takeBack();
    return plan;
  }
  return { ...plan, onFailed: takeBack };
}

export interface NewRecoveryKey {
  /** As `newRecoveryKey` makes it. */
  recoveryKey: Secret;
  /** The vault’s passphrase, where it has one: only who knows it may add an unlock method. */
  passphrase?: Secret | undefined;
  /** Replaces the recovery key that the vault has. */
  replace: boolean;
}

/** Adds a recovery key; with `replace`, replaces it. */
export function addingRecoveryKey({ recoveryKey, passphrase, replace }: NewRecoveryKey): SlotChange {
  return async (opened, tools) => {
    const { header, dataKey } = opened;
    const hasOne = slotOf(header, 'recoveryKey') !== undefined;
    if (hasOne && !replace) {
      return refuse(
        'usage',
        'vault.recoveryKey.exists',
        'the vault has a recovery key already',
        'make another one, which ends the old one: lanyard recovery-key create --replace',
      );
    }
    const bytes = parseRecoveryKey(recoveryKey);
    if (!bytes) {
      return recoveryKeyTypo();
    }
    const refusal = slotOf(header, 'passphrase')
      ? await refusalOfProof(header, { passphrase }, tools.kdf)
      : null;
    if (refusal) {
      return refusal;
    }
    if (hasOne) {
      return rotated(opened, tools, { recoveryKey: bytes, ...(passphrase && { passphrase }) });
    }
    return {
      ok: true,
      slots: [...header.slots, makeRecoverySlot(header.id, dataKey, bytes)],
      dataKey,
    };
  };
}

/** After an unlock without the keychain: where a working keychain has no key, or a wrong one, it gets a new key. */
export async function repairingKeychain(
  opened: OpenedGeneration,
  keychain: Keychain,
): Promise<SlotPlan | { ok: false; reason: string } | null> {
  const { header, dataKey } = opened;
  const slot = slotOf(header, 'keychain');
  if (!slot) {
    return null;
  }
  const before = await keychain.get(keychainService, header.id);
  if (!before.ok) {
    return { ok: false, reason: before.message };
  }
  if (before.value !== null) {
    const fits = openKeychainSlot(header.id, slot, Buffer.from(before.value, 'base64'));
    if (fits) {
      fits.fill(0);
      return null;
    }
  }
  const kept = await keepNewKey(keychain, header.id);
  if (!kept.ok) {
    return kept;
  }
  const made = makeKeychainSlot(header.id, dataKey, kept.key);
  kept.key.fill(0);
  return {
    ok: true,
    slots: header.slots.map((each) => (each.kind === 'keychain' ? made : each)),
    dataKey,
    onFailed: async () =>
      void (before.value === null
        ? await keychain.delete(keychainService, header.id)
        : await keychain.set(keychainService, header.id, before.value)),
  };
}

/** What seals the new slots. An unlock method that isn’t named is removed; a recovery slot stays. */
interface Rewrap {
  passphrase?: Secret;
  withoutKeychain?: boolean | undefined;
  /** A key that was just stored in the keychain; without it, the stored key is used. */
  keychainKey?: Buffer;
  /** The new recovery key, decoded. */
  recoveryKey?: Buffer;
}

/**
 * All unlock methods, under a new data key. An old copy of the file with an old passphrase gives the old data key,
 * which must not open later files.
 */
async function rotated(
  opened: OpenedGeneration,
  { keychain, kdf }: SlotTools,
  rewrap: Rewrap,
): Promise<SlotPlan | Refusal> {
  const { id } = opened.header;
  const dataKey = randomBytes(keyBytes);
  const slots: Slot[] = [];
  const byKeychain = slotOf(opened.header, 'keychain');
  if (rewrap.keychainKey) {
    slots.push(makeKeychainSlot(id, dataKey, rewrap.keychainKey));
  } else if (byKeychain && !rewrap.withoutKeychain) {
    const found = await keyOf(keychain, id, byKeychain);
    if (!found.ok) {
      return found;
    }
    slots.push(makeKeychainSlot(id, dataKey, found.key));
    found.key.fill(0);
  }
  if (rewrap.passphrase) {
    slots.push(await makePassphraseSlot(id, dataKey, rewrap.passphrase, kdf));
  }
  const byRecoveryKey = slotOf(opened.header, 'recoveryKey');
  if (rewrap.recoveryKey) {
    slots.push(makeRecoverySlot(id, dataKey, rewrap.recoveryKey));
  } else if (byRecoveryKey) {
    slots.push(resealRecoverySlot(id, byRecoveryKey, dataKey));
  }
  const leaves = byKeychain && rewrap.withoutKeychain;
  return {
    ok: true,
    slots,
    dataKey,
    ...(leaves && keychain && { onWritten: async () => void (await keychain.delete(keychainService, id)) }),
  };
}

/** The keychain’s key, checked against the slot: a slot that couldn’t be opened now is never written. */
async function keyOf(
  keychain: Keychain | null,
  id: string,
  slot: Parameters<typeof openKeychainSlot>[1],
): Promise<{ ok: true; key: Buffer } | Refusal> {
  const refused = (reason: string) =>
    refuse(
      'locked',
      'vault.keychain.needed',
      `the keychain is a way into this vault and has to be at hand: ${reason}`,
      'unlock the keychain first, or go on without it: lanyard passphrase change --without-keychain',
    );
  if (!keychain) {
    return refused('this agent was started with a passphrase file');
  }
  const found = await findKey(keychain, id);
  if (found.kind === 'locked') {
    return refused(found.reason);
  }
  const fits = openKeychainSlot(id, slot, found.key);
  fits?.fill(0);
  return fits ? { ok: true, key: found.key } : refused('its key is not this vault’s');
}

/** Null where the proof is right. A passphrase costs one derived key. */
export async function refusalOfProof(
  header: VaultHeader,
  proof: Proof,
  kdf: PassphraseKdf,
): Promise<Refusal | null> {
  const byPassphrase = slotOf(header, 'passphrase');
  if (!byPassphrase) {
    const hint = 'lanyard passphrase set';
    return refuse('usage', 'vault.passphrase.none', 'the vault has no passphrase', hint);
  }
  if (proof.recoveryKey) {
    const bytes = parseRecoveryKey(proof.recoveryKey);
    if (!bytes) {
      return recoveryKeyTypo();
    }
    const slot = slotOf(header, 'recoveryKey');
    const dataKey = slot && openRecoverySlot(header.id, slot, bytes);
    dataKey?.fill(0);
    return dataKey
      ? null
      : refuse('denied', 'vault.recoveryKey.wrong', 'this is not the vault’s recovery key');
  }
  if (!proof.passphrase) {
    return refuse('denied', 'vault.passphrase.needed', 'the vault’s passphrase was not given');
  }
  const dataKey = await openPassphraseSlot(header.id, byPassphrase, proof.passphrase, kdf);
  dataKey?.fill(0);
  return dataKey ? null : refuse('denied', 'vault.passphrase.wrong', 'the passphrase is wrong');
}

/** The refusal `vault.recoveryKey.typo` (reason usage). */
export function recoveryKeyTypo(): Refusal {
  return refuse(
    'usage',
    'vault.recoveryKey.typo',
    'this is not a recovery key: a character is wrong, missing or too much',
    'it has nine groups of four letters and digits; check it again',
  );
}
