import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { SlotOf } from './format.ts';
import { keyBytes, seal, slotBinding, unseal } from './seal.ts';

type RecoverySlot = SlotOf<'recoveryKey'>;

/** RFC 8410: the bytes before the 32 raw bytes of an X25519 key in PKCS #8 and in SubjectPublicKeyInfo. */
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex');

/**
 * A slot for a recovery key. It stores a public key: the data key is changed without the recovery key, which may lie on
 * paper elsewhere. An older data key tells nothing of the next one by this slot.
 */
export function makeRecoverySlot(id: string, dataKey: Buffer, recoveryKey: Buffer): RecoverySlot {
  const salt = randomBytes(16).toString('base64');
  const publicKey = rawPublicKey(createPublicKey(privateKeyOf(id, salt, recoveryKey)));
  return sealTo(id, { salt, publicKey }, dataKey);
}

/** The same recovery key's slot for another data key. `slot` must come from an authenticated header. */
export function resealRecoverySlot(id: string, slot: RecoverySlot, dataKey: Buffer): RecoverySlot {
  return sealTo(id, slot, dataKey);
}

/** The data key, or null where the recovery key doesn’t fit this slot. */
export function openRecoverySlot(id: string, slot: RecoverySlot, recoveryKey: Buffer): Buffer | null {
  const shared = agree(privateKeyOf(id, slot.salt, recoveryKey), slot.ephemeralKey);
  if (shared === null) {
    return null;
  }
  const key = wrappingKey(shared, slot);
  const dataKey = unseal(key, Buffer.from(slot.wrapped, 'base64'), binding(id, slot));
  key.fill(0);
  return dataKey;
}

function sealTo(
  id: string,
  { salt, publicKey }: Pick<RecoverySlot, 'salt' | 'publicKey'>,
  dataKey: Buffer,
): RecoverySlot {
  const ephemeral = generateKeyPairSync('x25519');
  const shape = { salt, publicKey, ephemeralKey: rawPublicKey(ephemeral.publicKey) };
  const shared = agree(ephemeral.privateKey, publicKey);
  if (shared === null) {
    throw new Error('the recovery slot’s public key is none');
  }
  const key = wrappingKey(shared, shape);
  const wrapped = seal(key, dataKey, binding(id, shape)).toString('base64');
  key.fill(0);
  return { kind: 'recoveryKey', ...shape, wrapped };
}

type Shape = Pick<RecoverySlot, 'salt' | 'publicKey' | 'ephemeralKey'>;

function binding(id: string, { salt, publicKey, ephemeralKey }: Shape): Buffer {
  return slotBinding(id, 'recoveryKey', salt, publicKey, ephemeralKey);
}

/** Derives from both public keys, too (RFC 7748, section 6.1). */
function wrappingKey(shared: Buffer, { publicKey, ephemeralKey }: Shape): Buffer {
  const info = `lanyard recovery slot ${publicKey} ${ephemeralKey}`;
  const key = Buffer.from(hkdfSync('sha256', shared, Buffer.alloc(0), info, keyBytes));
  shared.fill(0);
  return key;
}

function privateKeyOf(id: string, salt: string, recoveryKey: Buffer): KeyObject {
  const info = `lanyard recovery key ${id}`;
  const scalar = Buffer.from(hkdfSync('sha256', recoveryKey, Buffer.from(salt, 'base64'), info, keyBytes));
  const der = Buffer.concat([privatePrefix, scalar]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  scalar.fill(0);
  der.fill(0);
  return key;
}

/** Null for a public key of small order, which OpenSSL rejects: it can only be forged. */
function agree(privateKey: KeyObject, publicKeyBase64: string): Buffer | null {
  const der = Buffer.concat([publicPrefix, Buffer.from(publicKeyBase64, 'base64')]);
  try {
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return diffieHellman({ privateKey, publicKey });
  } catch {
    return null;
  }
}

function rawPublicKey(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length).toString('base64');
}
