import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeRecoverySlot, openRecoverySlot, resealRecoverySlot } from './recovery-slot.ts';

const id = randomUUID();
const dataKey = randomBytes(32);
const recoveryKey = randomBytes(20);

it('a recovery slot opens with its key and for its vault only', () => {
  const slot = makeRecoverySlot(id, dataKey, recoveryKey);
  expect(openRecoverySlot(id, slot, recoveryKey)?.equals(dataKey)).toBe(true);
  expect(openRecoverySlot(id, slot, randomBytes(20))).toBeNull();
  expect(openRecoverySlot(randomUUID(), slot, recoveryKey)).toBeNull();
});

it('takes another data key without the recovery key, and nothing of the old one opens it', () => {
  const slot = makeRecoverySlot(id, dataKey, recoveryKey);
  const next = randomBytes(32);
  const resealed = resealRecoverySlot(id, slot, next);
  expect(openRecoverySlot(id, resealed, recoveryKey)?.equals(next)).toBe(true);
  expect(openRecoverySlot(id, { ...resealed, wrapped: slot.wrapped }, recoveryKey)).toBeNull();
  expect(openRecoverySlot(id, { ...slot, wrapped: resealed.wrapped }, recoveryKey)).toBeNull();
});

it('is bound to each of its parts', () => {
  const slot = makeRecoverySlot(id, dataKey, recoveryKey);
  const other = makeRecoverySlot(id, dataKey, recoveryKey);
  for (const key of ['salt', 'publicKey', 'ephemeralKey', 'wrapped'] as const) {
    expect(openRecoverySlot(id, { ...slot, [key]: other[key] }, recoveryKey), key).toBeNull();
  }
  // A public key of small order: nothing is agreed on with it.
  const none = Buffer.alloc(32).toString('base64');
  expect(openRecoverySlot(id, { ...slot, ephemeralKey: none }, recoveryKey)).toBeNull();
});
