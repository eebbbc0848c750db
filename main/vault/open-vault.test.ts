import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutLinks } from '../../test/support/system.ts';
import {
  FailingFiles,
  FakeKeychain,
  passphrase,
  refreshTokenIn,
  systemError,
  temporaryHome,
  unavailable,
  unitDependencies,
  withSession,
} from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { emptyContent } from './content.ts';
import { createFileOperations } from './file-operations.ts';
import { openVault } from './open-vault.ts';

/** A home with a vault of two generations, closed again. */
async function madeVault(home: string, keychain = new FakeKeychain()) {
  const vault = await openVault(unitDependencies(home, { keychain }));
  await vault.update(withSession('first'));
  await vault.update(withSession('second'));
  await vault.dispose();
  return { keychain, file: join(home, 'vault'), previous: join(home, 'vault.previous') };
}

describe('opening a vault where there is none', () => {
  it('makes one whose key the keychain holds', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(vault.state()).toEqual({ kind: 'open', slots: ['keychain'], generation: 1 });
    expect(vault.read()).toEqual(emptyContent);
    expect([...keychain.entries.keys()]).toEqual([expect.stringMatching(/^Lanyard\/[0-9a-f-]{36}$/)]);
    expect(await readdir(at.home)).toEqual(['vault']);
  });

  it('makes one with the passphrase alone where one is given, and touches no keychain', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    const vault = await openVault(unitDependencies(at.home, { keychain, passphrase }));
    expect(vault.state()).toMatchObject({ kind: 'open', slots: ['passphrase'] });
    await vault.update(withSession('kept'));
    await vault.dispose();
    const again = await openVault(unitDependencies(at.home, { keychain, passphrase }));
    expect(refreshTokenIn(again.read())).toBe('kept');
    expect(keychain.calls).toBe(0);
  });

  it('makes none without a keychain, never with a made-up key, and says why', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    keychain.failure = unavailable;
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(vault.state()).toEqual({ kind: 'none', reason: 'no keychain here' });
    expect(() => vault.read()).toThrow(
      expect.objectContaining({ code: 'vault.none', reason: 'locked', hint: 'run: lanyard unlock' }),
    );
    expect(await readdir(at.home)).toEqual([]);
  });

  it('makes none where the keychain takes a key but doesn’t give it back', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    keychain.hidden = true;
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(vault.state()).toMatchObject({ kind: 'none' });
    expect(await readdir(at.home)).toEqual([]);
  });

  it('makes none with an empty passphrase', async () => {
    await using at = await temporaryHome();
    const vault = await openVault(unitDependencies(at.home, { passphrase: new Secret('') }));
    expect(vault.state()).toEqual({ kind: 'none', reason: 'the passphrase is empty' });
  });

  it('makes none on a full disk, and leaves no key behind', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    const files = new FailingFiles({ failAt: 2, code: 'ENOSPC' });
    const vault = await openVault(unitDependencies(at.home, { keychain, files }));
    expect(vault.state()).toMatchObject({ kind: 'none', reason: expect.stringContaining('disk is full') });
    expect(keychain.entries.size).toBe(0);
    expect(await readdir(at.home)).toEqual([]);
  });

  it('makes one when it is tried again after the keychain came, or the user gave a passphrase', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    keychain.failure = unavailable;
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(await vault.createWithPassphrase(new Secret(''))).toMatchObject({ ok: false, reason: 'usage' });
    expect(await vault.createWithPassphrase(passphrase)).toEqual({ ok: true });
    expect(vault.state()).toMatchObject({ kind: 'open', slots: ['passphrase'] });
    expect(await vault.createWithPassphrase(passphrase)).toMatchObject({ ok: false, code: 'vault.exists' });

    await using other = await temporaryHome();
    const later = await openVault(unitDependencies(other.home, { keychain }));
    keychain.failure = null;
    await later.retry();
    expect(later.state()).toMatchObject({ kind: 'open', slots: ['keychain'] });
  });

  it('never takes the place of a vault that came meanwhile', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    keychain.failure = unavailable;
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    await writeFile(join(at.home, 'vault'), 'another');
    expect(await vault.createWithPassphrase(passphrase)).toMatchObject({ ok: false });
    expect(await readFile(join(at.home, 'vault'), 'utf8')).toBe('another');
  });

  it('makes and writes one on a file system without hard links', async () => {
    await using at = await temporaryHome();
    const files = createFileOperations();
    files.link = () => Promise.reject(systemError('EPERM'));
    const vault = await openVault(unitDependencies(at.home, { files, passphrase }));
    await vault.update(withSession('first'));
    await vault.update(withSession('second'));
    expect((await readdir(at.home)).sort()).toEqual(['vault', 'vault.previous']);
    const again = await openVault(unitDependencies(at.home, { files, passphrase }));
    expect(refreshTokenIn(again.read())).toBe('second');
  });
});

describe('opening a vault that is there', () => {
  it('is locked, never new, while its key can’t be found', async () => {
    await using at = await temporaryHome();
    const { keychain, file } = await madeVault(at.home);
    const bytes = await readFile(file);
    for (const change of [{ hidden: true }, { failure: unavailable, hidden: false }]) {
      Object.assign(keychain, change);
      const vault = await openVault(unitDependencies(at.home, { keychain }));
      expect(vault.state()).toMatchObject({ kind: 'locked', how: 'keychain' });
      expect(() => vault.read()).toThrow(expect.objectContaining({ code: 'vault.locked', reason: 'locked' }));
      await expect(vault.update(withSession('x'))).rejects.toMatchObject({ code: 'vault.locked' });
      expect(await vault.unlock({ passphrase })).toMatchObject({ ok: false, reason: 'locked' });
      expect(await vault.createWithPassphrase(passphrase)).toMatchObject({ ok: false });
    }
    expect(await readFile(file)).toEqual(bytes);
    expect(keychain.entries.size).toBe(1);
  });

  it('opens when it is tried again after the keyring was unlocked', async () => {
    await using at = await temporaryHome();
    const { keychain } = await madeVault(at.home);
    keychain.hidden = true;
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    keychain.hidden = false;
    await vault.retry();
    expect(refreshTokenIn(vault.read())).toBe('second');
  });

  it('is locked where the keychain’s key is another one, and says what is left', async () => {
    await using at = await temporaryHome();
    const { keychain } = await madeVault(at.home);
    for (const value of [Buffer.alloc(32).toString('base64'), 'nonsense']) {
      for (const name of keychain.entries.keys()) {
        keychain.entries.set(name, value);
      }
      const vault = await openVault(unitDependencies(at.home, { keychain }));
      expect(vault.state()).toMatchObject({ kind: 'locked', how: 'keychain', ways: ['keychain'] });
      expect(() => vault.read()).toThrow(
        expect.objectContaining({ hint: expect.stringContaining('lanyard vault reset') }),
      );
    }
  });

  it('asks for no passphrase where its key is in the keychain, and touches no keychain in that mode', async () => {
    await using at = await temporaryHome();
    const { keychain } = await madeVault(at.home);
    const before = keychain.calls;
    const vault = await openVault(unitDependencies(at.home, { keychain, passphrase }));
    expect(vault.state()).toMatchObject({ kind: 'locked', how: 'keychain' });
    expect(keychain.calls).toBe(before);
  });

  it('is locked with a wrong passphrase, and without one', async () => {
    await using at = await temporaryHome();
    await (await openVault(unitDependencies(at.home, { passphrase }))).dispose();
    const without = await openVault(unitDependencies(at.home));
    expect(without.state()).toMatchObject({ kind: 'locked', how: 'passphrase' });
    const wrong = await openVault(unitDependencies(at.home, { passphrase: new Secret('wrong') }));
    expect(wrong.state()).toEqual({
      kind: 'locked',
      how: 'passphrase',
      reason: 'the passphrase is wrong',
      ways: ['passphrase'],
    });
  });

  it('removes what a killed process left, and nothing else', async () => {
    await using at = await temporaryHome();
    const { keychain } = await madeVault(at.home);
    const names = [`vault.tmp-${'0'.repeat(32)}`, 'vault.tmp-mine', 'vault.damaged-2026'];
    for (const name of names) {
      await writeFile(join(at.home, name), 'x');
    }
    await openVault(unitDependencies(at.home, { keychain }));
    expect((await readdir(at.home)).sort()).toEqual([
      'vault',
      'vault.damaged-2026',
      'vault.previous',
      'vault.tmp-mine',
    ]);
  });
});

describe('a vault that can’t be used is told and stays as it is', () => {
  it('each flipped byte is broken, never another content', async () => {
    await using at = await temporaryHome();
    const { keychain, file } = await madeVault(at.home);
    const whole = await readFile(file);
    for (let index = 0; index < whole.length; index += 7) {
      const flipped = Buffer.from(whole);
      flipped.writeUInt8(flipped.readUInt8(index) ^ 0x20, index);
      await writeFile(file, flipped);
      const vault = await openVault(unitDependencies(at.home, { keychain }));
      expect(vault.state(), `byte ${index}`).toMatchObject({
        kind: 'broken',
        hint: expect.stringContaining('lanyard vault restore'),
      });
      expect(() => vault.read()).toThrow(
        expect.objectContaining({ reason: 'internal', code: expect.stringMatching(/^vault\.broken\./) }),
      );
      await expect(vault.update(withSession('x'))).rejects.toMatchObject({ reason: 'internal' });
      await vault.retry();
      expect(await readFile(file)).toEqual(flipped);
    }
  });

  it('each truncation is broken', async () => {
    await using at = await temporaryHome();
    const { keychain, file } = await madeVault(at.home);
    const whole = await readFile(file);
    for (let length = 0; length < whole.length; length += 13) {
      await writeFile(file, whole.subarray(0, length));
      const vault = await openVault(unitDependencies(at.home, { keychain }));
      expect(vault.state(), `length ${length}`).toMatchObject({ kind: 'broken' });
      expect((await readFile(file)).length).toBe(length);
    }
  });

  it('the hint names the previous generation only where that one is whole', async () => {
    await using at = await temporaryHome();
    const { keychain, file, previous } = await madeVault(at.home);
    await writeFile(file, 'damaged');
    await writeFile(previous, 'damaged, too');
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    const state = vault.state();
    expect(state.kind === 'broken' && state.hint).not.toContain('vault.previous');
  });

  it('a vault that is gone beside its previous generation is broken, not new', async () => {
    await using at = await temporaryHome();
    const { keychain, file } = await madeVault(at.home);
    await rm(file);
    for (const more of [{ keychain }, { passphrase }]) {
      const vault = await openVault(unitDependencies(at.home, more));
      expect(vault.state()).toMatchObject({
        kind: 'broken',
        code: 'vault.broken.missing',
        hint: expect.stringContaining('lanyard vault restore'),
      });
      expect(await vault.unlock({ passphrase })).toMatchObject({ ok: false });
      expect(await readdir(at.home)).toEqual(['vault.previous']);
    }
  });

  it.skipIf(withoutLinks)('a symbolic link in its place is broken', async () => {
    await using at = await temporaryHome();
    const { keychain, file } = await madeVault(at.home);
    await rename(file, join(at.home, 'elsewhere'));
    await symlink('elsewhere', file);
    const linked = await openVault(unitDependencies(at.home, { keychain }));
    expect(linked.state()).toMatchObject({ kind: 'broken', code: 'vault.broken.symlink' });
  });

  it('a folder in its place is broken', async () => {
    await using at = await temporaryHome();
    const { keychain, file } = await madeVault(at.home);
    await rm(file);
    await mkdir(file);
    const folder = await openVault(unitDependencies(at.home, { keychain }));
    expect(folder.state()).toMatchObject({ kind: 'broken', code: 'vault.broken.notAFile' });
  });

  it.each([
    ['belongs to another user', 'vault.broken.owner', { uid: 65_534 }],
    ['is not a plain file', 'vault.broken.notAFile', { isFile: false }],
    ['is far too large', 'vault.broken.tooLarge', { size: 2 ** 40 }],
  ])('a file that %s is broken', async (_, code, found) => {
    await using at = await temporaryHome();
    const { keychain } = await madeVault(at.home);
    const files = createFileOperations();
    const { openForReading } = files;
    files.openForReading = async (path) => ({ ...(await openForReading(path)), ...found });
    const vault = await openVault(unitDependencies(at.home, { keychain, files }));
    expect(vault.state()).toMatchObject({ kind: 'broken', code });
  });

  it.each(['EACCES', 'EIO', 'EMFILE'])('a file that can’t be read (%s) is broken', async (code) => {
    await using at = await temporaryHome();
    const { keychain } = await madeVault(at.home);
    const files = createFileOperations();
    files.openForReading = () => Promise.reject(systemError(code));
    const vault = await openVault(unitDependencies(at.home, { keychain, files }));
    expect(vault.state()).toMatchObject({ kind: 'broken', code: 'vault.broken.unreadable' });
  });

  it('opens again after the user restored a whole file', async () => {
    await using at = await temporaryHome();
    const { keychain, file } = await madeVault(at.home);
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(10));
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(await vault.unlock()).toMatchObject({ ok: false, reason: 'internal' });
    await writeFile(file, whole);
    expect(await vault.unlock()).toEqual({ ok: true });
    expect(refreshTokenIn(vault.read())).toBe('second');
  });
});
