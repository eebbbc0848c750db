import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeFile, encodeFile, encodePrefix, loginMark, type VaultHeader } from './format.ts';
import { makeRecoverySlot } from './recovery-slot.ts';

const wrapped = randomBytes(60).toString('base64');
const salt = randomBytes(16).toString('base64');
const scrypt = { name: 'scrypt' as const, N: 2 ** 17, r: 8, p: 1, salt };
const header: VaultHeader = {
  id: randomUUID(),
  generation: 7,
  createdAt: 1000,
  slots: [
    { kind: 'keychain', wrapped },
    { kind: 'passphrase', kdf: scrypt, wrapped },
  ],
};
const sealed = randomBytes(100);
const file = encodeFile(encodePrefix(header), sealed);

/** The file with another checksum, as an attacker would make it. */
function withChecksum(body: Buffer): Buffer {
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

describe('the vault’s file format', () => {
  it('gives back what was put in', () => {
    const parts = decodeFile(file);
    expect(parts).toMatchObject({ kind: 'parts', header });
    expect(parts.kind === 'parts' && parts.sealed.equals(sealed)).toBe(true);
    expect(parts.kind === 'parts' && parts.authenticated.equals(encodePrefix(header))).toBe(true);
  });

  it('sees each flipped bit without a key', () => {
    for (let at = 0; at < file.length * 8; at += 1) {
      const flipped = Buffer.from(file);
      flipped.writeUInt8(flipped.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
      expect(decodeFile(flipped), `bit ${at}`).toMatchObject({
        kind: 'broken',
        code: 'vault.broken.damaged',
      });
    }
  });

  it('sees each truncation and anything appended', () => {
    for (let length = 0; length < file.length; length += 1) {
      expect(decodeFile(file.subarray(0, length)).kind, `length ${length}`).toBe('broken');
    }
    expect(decodeFile(Buffer.alloc(0))).toMatchObject({ code: 'vault.broken.truncated' });
    expect(decodeFile(file.subarray(0, 20))).toMatchObject({ code: 'vault.broken.truncated' });
    expect(decodeFile(Buffer.concat([file, Buffer.alloc(1)])).kind).toBe('broken');
  });

  it('says of a whole file of a later version that it is newer', () => {
    const body = Buffer.from(file.subarray(0, -32));
    body.writeUInt32BE(4, 8);
    expect(decodeFile(withChecksum(body))).toMatchObject({
      code: 'vault.broken.newer',
      reason: expect.stringContaining('version 4'),
    });
  });

  it('has version 3 where it says which servers have stored entries, and only there', () => {
    const withLogins = encodePrefix({ ...header, logins: [loginMark(header.id, 'ghcr.io')] });
    expect(withLogins.readUInt32BE(8)).toBe(3);
    expect(decodeFile(encodeFile(withLogins, sealed)).kind).toBe('parts');
    withLogins.writeUInt32BE(2, 8);
    expect(decodeFile(encodeFile(withLogins, sealed))).toMatchObject({ code: 'vault.broken.damaged' });
  });

  it('marks a server by the vault and the name together, in 12 bytes', () => {
    const mark = loginMark(header.id, 'ghcr.io');
    expect(Buffer.from(mark, 'base64')).toHaveLength(12);
    expect(loginMark(header.id, 'ghcr.io')).toBe(mark);
    expect(loginMark(header.id, 'quay.io')).not.toBe(mark);
    expect(loginMark(randomUUID(), 'ghcr.io')).not.toBe(mark);
  });

  it('has version 2 where a slot is a recovery key’s, and only there', () => {
    const slot = makeRecoverySlot(header.id, Buffer.alloc(32), Buffer.alloc(20));
    const withKey = encodePrefix({ ...header, slots: [...header.slots, slot] });
    expect([encodePrefix(header).readUInt32BE(8), withKey.readUInt32BE(8)]).toEqual([1, 2]);
    expect(decodeFile(encodeFile(withKey, sealed)).kind).toBe('parts');
    withKey.writeUInt32BE(1, 8);
    expect(decodeFile(encodeFile(withKey, sealed))).toMatchObject({ code: 'vault.broken.damaged' });
    withKey.writeUInt32BE(0, 8);
    expect(decodeFile(encodeFile(withKey, sealed)).kind).toBe('broken');
  });

  it('refuses a header that is longer than the file', () => {
    for (const length of [0xffffffff, sealed.length + 1000]) {
      const body = Buffer.from(file.subarray(0, -32));
      body.writeUInt32BE(length, 12);
      expect(decodeFile(withChecksum(body))).toMatchObject({ code: 'vault.broken.damaged' });
    }
  });

  it.each([
    ['N that is no power of two', { N: 2 ** 17 - 1 }],
    ['too much memory by N', { N: 2 ** 20 }],
    ['too much memory by r', { N: 2 ** 17, r: 32 }],
    ['too much time by p', { p: 1000 }],
    ['a cost that is no number', { N: '131072' }],
    ['a derivation it doesn’t know', { name: 'md5' }],
  ])('refuses a header whose scrypt has %s', (_, change) => {
    const slot = { kind: 'passphrase', kdf: { ...scrypt, ...change }, wrapped };
    const hostile = { ...header, slots: [slot] } as VaultHeader;
    expect(decodeFile(encodeFile(encodePrefix(hostile), sealed))).toMatchObject({
      kind: 'broken',
      code: 'vault.broken.damaged',
    });
  });

  it('refuses a header with more than it knows', () => {
    const more = { ...header, next: true } as VaultHeader;
    expect(decodeFile(encodeFile(encodePrefix(more), sealed)).kind).toBe('broken');
  });
});
