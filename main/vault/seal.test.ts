import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { noScrypt } from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import {
  makeKeychainSlot,
  makePassphraseSlot,
  openKeychainSlot,
  openPassphraseSlot,
  seal,
  unseal,
} from './seal.ts';

const id = randomUUID();
const key = randomBytes(32);
const dataKey = randomBytes(32);
const passphrase = new Secret('pass phrase');

describe('seal (rule: sealed-vault)', () => {
  it('opens with the same key and authenticated data only', () => {
    const bound = Buffer.from('bound');
    const sealed = seal(key, Buffer.from('plain'), bound);
    expect(unseal(key, sealed, bound)?.toString()).toBe('plain');
    expect(unseal(randomBytes(32), sealed, bound)).toBeNull();
    expect(unseal(key, sealed, Buffer.from('other'))).toBeNull();
  });

  it('uses a fresh nonce each time', () => {
    const nonces = Array.from({ length: 100 }, () =>
      seal(key, Buffer.from('plain'), Buffer.alloc(0)).subarray(0, 12).toString('hex'),
    );
    expect(new Set(nonces).size).toBe(100);
  });
});

describe('slots', () => {
  it('a keychain slot opens with its key and for its vault only', () => {
    const slot = makeKeychainSlot(id, dataKey, key);
    expect(openKeychainSlot(id, slot, key)?.equals(dataKey)).toBe(true);
    expect(openKeychainSlot(randomUUID(), slot, key)).toBeNull();
    expect(openKeychainSlot(id, slot, randomBytes(32))).toBeNull();
  });

  it('a passphrase slot opens with its passphrase and for its vault only', async () => {
    const slot = await makePassphraseSlot(id, dataKey, passphrase, noScrypt);
    expect((await openPassphraseSlot(id, slot, passphrase, noScrypt))?.equals(dataKey)).toBe(true);
    expect(await openPassphraseSlot(id, slot, new Secret('pass phrase '), noScrypt)).toBeNull();
    expect(await openPassphraseSlot(randomUUID(), slot, passphrase, noScrypt)).toBeNull();
  });

  it('a passphrase slot is bound to its parameters', async () => {
    const slot = await makePassphraseSlot(id, dataKey, passphrase, noScrypt);
    for (const change of [{ N: 2 ** 11 }, { r: 4 }, { p: 2 }, { salt: randomBytes(16).toString('base64') }]) {
      expect(
        await openPassphraseSlot(id, { ...slot, kdf: { ...slot.kdf, ...change } }, passphrase, noScrypt),
      ).toBeNull();
    }
  });

  it('takes a passphrase typed in composed and in decomposed form for the same', async () => {
    const slot = await makePassphraseSlot(id, dataKey, new Secret('schl\u00fcssel'), noScrypt);
    expect(
      (await openPassphraseSlot(id, slot, new Secret('schlu\u0308ssel'), noScrypt))?.equals(dataKey),
    ).toBe(true);
  });
});
