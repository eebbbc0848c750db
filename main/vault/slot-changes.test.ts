import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  FailingFiles,
  FakeKeychain,
  noScrypt,
  passphrase,
  refreshTokenIn,
  temporaryHome,
  unavailable,
  unitDependencies,
  withSession,
} from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import type { FileOperations } from './file-operations.ts';
import { decodeFile, type VaultParts } from './format.ts';
import { unsealGeneration } from './generation.ts';
import { slotOf } from './load.ts';
import { openVault } from './open-vault.ts';
import { newRecoveryKey } from './recovery-key.ts';
import { openPassphraseSlot } from './seal.ts';
import type { Opener, VaultControl } from './vault-control.ts';

const other = new Secret('quite another passphrase');
const wrong = new Secret('not the passphrase');

/** An open vault that the keychain opens, with something in it. */
async function made(home: string, keychain = new FakeKeychain(), files?: FileOperations) {
  const vault = await openVault(unitDependencies(home, { keychain, ...(files && { files }) }));
  await vault.update(withSession('kept'));
  await vault.update((content) => ({ ...content }));
  return { vault, keychain };
}

const slotsOf = (vault: VaultControl) => {
  const state = vault.state();
  return state.kind === 'open' ? state.slots : state;
};

/** Tells which of the two files `opener` opens; each is copied to its own home. */
async function opens(home: string, opener: Opener, keychain: FakeKeychain | null = null) {
  const answers: boolean[] = [];
  for (const name of ['vault', 'vault.previous']) {
    await using aside = await temporaryHome();
    await copyFile(join(home, name), join(aside.home, 'vault'));
    const closed = new FakeKeychain();
    closed.failure = unavailable;
    const vault = await openVault(unitDependencies(aside.home, { keychain: keychain ?? closed }));
    await vault.unlock(opener);
    answers.push(vault.state().kind === 'open' && refreshTokenIn(vault.read()) === 'kept');
  }
  return answers;
}

const both = [true, true];
const neither = [false, false];

describe('a passphrase', () => {
  it('is set beside the keychain: each opens both generations', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    expect(await vault.setPassphrase({ passphrase })).toEqual({ ok: true });
    expect(slotsOf(vault)).toEqual(['keychain', 'passphrase']);
    expect(await opens(at.home, { passphrase })).toEqual(both);
    expect(await opens(at.home, {}, keychain)).toEqual(both);
    expect(await opens(at.home, { passphrase: wrong })).toEqual(neither);
  });

  it('is set in the keychain’s place: the keychain opens neither, and has no key any more', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    const before = new Map(keychain.entries);
    expect(await vault.setPassphrase({ passphrase, withoutKeychain: true })).toEqual({ ok: true });
    expect(slotsOf(vault)).toEqual(['passphrase']);
    expect(keychain.entries.size).toBe(0);
    const thief = new FakeKeychain();
    for (const [name, value] of before) {
      thief.entries.set(name, value);
    }
    expect(await opens(at.home, {}, thief)).toEqual(neither);
    expect(await opens(at.home, { passphrase })).toEqual(both);
  });

  it('changed: the old one opens neither generation', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    const recoveryKey = newRecoveryKey();
    await vault.addRecoveryKey({ recoveryKey, passphrase, replace: false });
    expect(await vault.changePassphrase({ passphrase: wrong }, { passphrase: other })).toMatchObject({
      ok: false,
      reason: 'denied',
      code: 'vault.passphrase.wrong',
    });
    expect(await opens(at.home, { passphrase })).toEqual(both);
    expect(await vault.changePassphrase({ passphrase }, { passphrase: other })).toEqual({ ok: true });
    expect(await opens(at.home, { passphrase })).toEqual(neither);
    expect(await opens(at.home, { passphrase: other })).toEqual(both);
    expect(await opens(at.home, { recoveryKey })).toEqual(both);
    expect(await opens(at.home, {}, keychain)).toEqual(both);
    // It goes on from there.
    await vault.update(withSession('kept'));
    expect(await opens(at.home, { passphrase: other })).toEqual(both);
  });

  it('changed by the recovery key where it is forgotten', async () => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    const recoveryKey = newRecoveryKey();
    await vault.addRecoveryKey({ recoveryKey, passphrase, replace: false });
    const next = { passphrase: other };
    expect(await vault.changePassphrase({ recoveryKey: newRecoveryKey() }, next)).toMatchObject({
      reason: 'denied',
      code: 'vault.recoveryKey.wrong',
    });
    expect(await vault.changePassphrase({ recoveryKey: new Secret('0123') }, next)).toMatchObject({
      reason: 'usage',
      code: 'vault.recoveryKey.typo',
    });
    expect(await vault.changePassphrase({ recoveryKey }, next)).toEqual({ ok: true });
    expect(await opens(at.home, { passphrase: other })).toEqual(both);
  });

  it('removed: it opens neither, and the keychain does', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    expect(await vault.removePassphrase({ passphrase: wrong })).toMatchObject({ ok: false });
    expect(await vault.removePassphrase({ passphrase })).toEqual({ ok: true });
    expect(slotsOf(vault)).toEqual(['keychain']);
    expect(await opens(at.home, { passphrase })).toEqual(neither);
    expect(await opens(at.home, {}, keychain)).toEqual(both);
  });

  it('that is the only way in is removed only where the keychain takes its place', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase, withoutKeychain: true });
    const recoveryKey = newRecoveryKey();
    // A recovery key alone is no way to work with.
    await vault.addRecoveryKey({ recoveryKey, passphrase, replace: false });
    for (const change of [{ failure: unavailable }, { failure: null, hidden: true }]) {
      Object.assign(keychain, change);
      expect(await vault.removePassphrase({ passphrase })).toMatchObject({
        ok: false,
        code: 'vault.slots.last',
      });
      expect(await opens(at.home, { passphrase })).toEqual(both);
    }
    keychain.hidden = false;
    expect(await vault.removePassphrase({ passphrase })).toEqual({ ok: true });
    expect(slotsOf(vault)).toEqual(['keychain', 'recoveryKey']);
    expect(await opens(at.home, {}, keychain)).toEqual(both);
    expect(await opens(at.home, { recoveryKey })).toEqual(both);
  });

  it.each([
    ['locked', unavailable, undefined],
    ['another’s', null, Buffer.alloc(32).toString('base64')],
  ])('is not changed while the keychain is %s, unless that way in goes', async (_, failure, value) => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    keychain.failure = failure;
    for (const name of value === undefined ? [] : keychain.entries.keys()) {
      keychain.entries.set(name, value ?? '');
    }
    expect(await vault.changePassphrase({ passphrase }, { passphrase: other })).toMatchObject({
      ok: false,
      code: 'vault.keychain.needed',
      hint: expect.stringContaining('--without-keychain'),
    });
    expect(await opens(at.home, { passphrase })).toEqual(both);
    const next = { passphrase: other, withoutKeychain: true };
    expect(await vault.changePassphrase({ passphrase }, next)).toEqual({ ok: true });
    expect(slotsOf(vault)).toEqual(['passphrase']);
  });

  it.each([
    ['empty', '', 'vault.passphrase.empty'],
    ['of seven characters', '1234567', 'vault.passphrase.short'],
    ['of seven characters, each of two code units', '😀'.repeat(7), 'vault.passphrase.short'],
  ])('%s is refused wherever one is made', async (_, text, code) => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    const bad = new Secret(text);
    expect(await vault.setPassphrase({ passphrase: bad })).toMatchObject({ reason: 'usage', code });
    expect(await vault.exportTo(join(at.home, 'export'), bad)).toMatchObject({ ok: false, reason: 'usage' });
    await vault.setPassphrase({ passphrase });
    expect(await vault.changePassphrase({ passphrase }, { passphrase: bad })).toMatchObject({ code });
    expect((await readdir(at.home)).sort()).toEqual(['vault', 'vault.previous']);
    expect(keychain.entries.size).toBe(1);
    await using fresh = await temporaryHome();
    keychain.failure = unavailable;
    const none = await openVault(unitDependencies(fresh.home, { keychain }));
    expect(await none.createWithPassphrase(bad)).toMatchObject({ reason: 'usage', code });
    expect(await none.createWithPassphrase(new Secret('12345678'))).toEqual({ ok: true });
  });

  it('is set once, and neither changed nor removed where there is none', async () => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    const next = { passphrase: other };
    expect(await vault.changePassphrase({ passphrase }, next)).toMatchObject({
      code: 'vault.passphrase.none',
    });
    expect(await vault.removePassphrase({ passphrase })).toMatchObject({ code: 'vault.passphrase.none' });
    await vault.setPassphrase({ passphrase });
    expect(await vault.setPassphrase(next)).toMatchObject({ code: 'vault.passphrase.exists' });
    await vault.lock();
    await expect(vault.changePassphrase({ passphrase }, next)).rejects.toMatchObject({
      code: 'vault.locked',
    });
  });
});

describe('a recovery key', () => {
  it('opens both generations; another one in its place ends it', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    const [first, second] = [newRecoveryKey(), newRecoveryKey()];
    expect(await vault.addRecoveryKey({ recoveryKey: first, replace: false })).toEqual({ ok: true });
    expect(await opens(at.home, { recoveryKey: first })).toEqual(both);
    expect(await opens(at.home, { recoveryKey: second })).toEqual(neither);
    expect(await vault.addRecoveryKey({ recoveryKey: second, replace: false })).toMatchObject({
      code: 'vault.recoveryKey.exists',
    });
    expect(await vault.addRecoveryKey({ recoveryKey: second, replace: true })).toEqual({ ok: true });
    expect(await opens(at.home, { recoveryKey: first })).toEqual(neither);
    expect(await opens(at.home, { recoveryKey: second })).toEqual(both);
    expect(await opens(at.home, {}, keychain)).toEqual(both);
  });

  it('is made, and made anew, by who knows the passphrase, which stays', async () => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    const recoveryKey = newRecoveryKey();
    expect(await vault.addRecoveryKey({ recoveryKey, replace: false })).toMatchObject({ reason: 'denied' });
    for (const replace of [false, true]) {
      expect(await vault.addRecoveryKey({ recoveryKey, passphrase: wrong, replace })).toMatchObject({
        code: 'vault.passphrase.wrong',
      });
      expect(await vault.addRecoveryKey({ recoveryKey, passphrase, replace })).toEqual({ ok: true });
      expect(slotsOf(vault)).toEqual(['keychain', 'passphrase', 'recoveryKey']);
    }
    expect(await opens(at.home, { passphrase })).toEqual(both);
  });

  it('opens a vault that is locked, as often as it was mistyped before', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    const recoveryKey = newRecoveryKey();
    await vault.addRecoveryKey({ recoveryKey, passphrase, replace: false });
    await vault.lock();
    expect(vault.state()).toMatchObject({
      how: 'passphrase',
      ways: ['keychain', 'passphrase', 'recoveryKey'],
    });
    expect(() => vault.read()).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('lanyard unlock --recovery-key') }),
    );
    expect(await vault.unlock({ recoveryKey: new Secret('0000') })).toMatchObject({
      reason: 'usage',
      code: 'vault.recoveryKey.typo',
    });
    expect(await vault.unlock({ recoveryKey: newRecoveryKey() })).toMatchObject({
      reason: 'locked',
      code: 'vault.recoveryKey.wrong',
    });
    expect(vault.state().kind).toBe('locked');
    const typed = new Secret(recoveryKey.reveal().toLowerCase().replaceAll('-', ' '));
    expect(await vault.unlock({ recoveryKey: typed })).toEqual({ ok: true });
    expect(keychain.entries.size).toBe(1);
  });

  it('makes the file one that an older Lanyard calls newer; without it the file is as before', async () => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    const version = async () => (await readFile(join(at.home, 'vault'))).readUInt32BE(8);
    await vault.setPassphrase({ passphrase });
    expect(await version()).toBe(1);
    await vault.addRecoveryKey({ recoveryKey: newRecoveryKey(), passphrase, replace: false });
    expect(await version()).toBe(2);
  });

  it('restores the previous generation, too', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    const recoveryKey = newRecoveryKey();
    await vault.addRecoveryKey({ recoveryKey, replace: false });
    await vault.dispose();
    await writeFile(join(at.home, 'vault'), 'damaged');
    keychain.hidden = true;
    const broken = await openVault(unitDependencies(at.home, { keychain }));
    expect(await broken.restorePrevious({ recoveryKey: newRecoveryKey() })).toMatchObject({
      reason: 'locked',
    });
    expect(await broken.restorePrevious({ recoveryKey })).toEqual({ ok: true });
    expect(refreshTokenIn(broken.read())).toBe('kept');
  });
});

describe('a lost keychain', () => {
  it.each([
    ['passphrase', 'give the passphrase: lanyard unlock'],
    ['recovery key', 'with the recovery key: lanyard unlock --recovery-key'],
    ['nothing', 'if its key is lost for good: lanyard vault reset'],
  ])('with %s beside it: the hint says so', async (beside, hint) => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    if (beside === 'passphrase') {
      await vault.setPassphrase({ passphrase });
    } else if (beside === 'recovery key') {
      await vault.addRecoveryKey({ recoveryKey: newRecoveryKey(), replace: false });
    }
    const lost = await openVault(unitDependencies(at.home, { keychain: new FakeKeychain() }));
    expect(lost.state()).toMatchObject({ kind: 'locked', how: 'keychain' });
    expect(() => lost.read()).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }));
  });

  it.each([
    ['has no key', () => new FakeKeychain()],
    [
      'has another key',
      (before: FakeKeychain) => {
        const keychain = new FakeKeychain();
        for (const name of before.entries.keys()) {
          keychain.entries.set(name, Buffer.alloc(32, 1).toString('base64'));
        }
        return keychain;
      },
    ],
  ])('that works again and %s gets a new one at the unlock', async (_, change) => {
    await using at = await temporaryHome();
    const before = await made(at.home);
    await before.vault.setPassphrase({ passphrase });
    const keychain = change(before.keychain);
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(vault.state()).toMatchObject({ kind: 'locked', how: 'keychain' });
    expect(await vault.unlock({ passphrase: wrong })).toMatchObject({ code: 'vault.passphrase.wrong' });
    expect(vault.state()).toMatchObject({ how: 'keychain' });
    expect(await vault.unlock({ passphrase })).toEqual({ ok: true, keychain: { repaired: true } });
    expect(await opens(at.home, {}, keychain)).toEqual(both);
    expect(await opens(at.home, { passphrase })).toEqual(both);
    expect(await opens(at.home, {}, before.keychain)).toEqual(neither);
    // Once.
    await vault.lock();
    expect(await vault.unlock({ passphrase })).toEqual({ ok: true });
  });

  it('that is still locked: opened all the same, and said', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    await vault.lock();
    const generation = (await readFile(join(at.home, 'vault'))).toString('latin1');
    keychain.hidden = true;
    keychain.set = async () => ({ ok: false, reason: 'locked', message: 'the keychain is locked' });
    expect(await vault.unlock({ passphrase })).toEqual({
      ok: true,
      keychain: { repaired: false, reason: 'the keychain is locked' },
    });
    expect((await readFile(join(at.home, 'vault'))).toString('latin1')).toBe(generation);
  });

  it('is not repaired on a full disk: what it had stays', async () => {
    await using at = await temporaryHome();
    const first = await made(at.home);
    await first.vault.setPassphrase({ passphrase });
    const keychain = new FakeKeychain();
    for (const name of first.keychain.entries.keys()) {
      keychain.entries.set(name, 'another');
    }
    const entries = new Map(keychain.entries);
    const files = new FailingFiles({ failAt: 2, code: 'ENOSPC' });
    const vault = await openVault(unitDependencies(at.home, { keychain, files }));
    expect(await vault.unlock({ passphrase })).toMatchObject({
      ok: true,
      keychain: { repaired: false, reason: expect.stringContaining('disk is full') },
    });
    expect(keychain.entries).toEqual(entries);
  });

  it('that the user removed as an unlock method is left alone', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase, withoutKeychain: true });
    await vault.lock();
    expect(await vault.unlock({ passphrase })).toEqual({ ok: true });
    expect(keychain.entries.size).toBe(0);
  });
});

describe('locking with several ways in', () => {
  it('asks for the passphrase although the keychain works; a start doesn’t', async () => {
    await using at = await temporaryHome();
    const { vault, keychain } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    await vault.lock();
    await vault.retry();
    expect(await vault.unlock()).toMatchObject({ ok: false, code: 'vault.passphrase.needed' });
    expect(await vault.unlock({ passphrase })).toEqual({ ok: true });
    const again = await openVault(unitDependencies(at.home, { keychain }));
    expect(again.state()).toMatchObject({ kind: 'open' });
  });

  it('while a passphrase is being set or removed ends as what is on disk then says', async () => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    await Promise.all([vault.setPassphrase({ passphrase }), vault.lock()]);
    expect(vault.state()).toMatchObject({ kind: 'locked', how: 'passphrase' });
    expect(await vault.unlock()).toMatchObject({ ok: false });
    expect(await vault.unlock({ passphrase })).toEqual({ ok: true });
    await Promise.all([vault.removePassphrase({ passphrase }), vault.lock()]);
    expect(vault.state()).toMatchObject({ kind: 'locked', how: 'gate' });
    expect(await vault.unlock()).toEqual({ ok: true });
    expect(refreshTokenIn(vault.read())).toBe('kept');
  });
});

describe('the data key of an old copy', () => {
  const byOld = async (parts: VaultParts) => {
    const slot = slotOf(parts.header, 'passphrase');
    return slot ? openPassphraseSlot(parts.header.id, slot, passphrase, noScrypt) : null;
  };
  const partsOf = async (path: string) => {
    const parts = decodeFile(await readFile(path));
    if (parts.kind === 'broken') {
      throw new Error(parts.reason);
    }
    return parts;
  };
  const recoveryKey = newRecoveryKey();

  it.each<[string, (vault: VaultControl) => Promise<unknown>]>([
    ['a changed passphrase', (vault) => vault.changePassphrase({ passphrase }, { passphrase: other })],
    ['a removed passphrase', (vault) => vault.removePassphrase({ passphrase })],
    [
      'another recovery key',
      (vault) => vault.addRecoveryKey({ recoveryKey: newRecoveryKey(), passphrase, replace: true }),
    ],
    [
      'a keychain taken away',
      (vault) => vault.changePassphrase({ passphrase }, { passphrase, withoutKeychain: true }),
    ],
  ])('opens nothing after %s', async (_, change) => {
    await using at = await temporaryHome();
    const { vault } = await made(at.home);
    await vault.setPassphrase({ passphrase });
    await vault.addRecoveryKey({ recoveryKey, passphrase, replace: false });
    const old = await byOld(await partsOf(join(at.home, 'vault')));
    expect(old && unsealGeneration(await partsOf(join(at.home, 'vault')), old).kind).toBe('opened');
    expect(await change(vault)).toEqual({ ok: true });
    for (const name of ['vault', 'vault.previous']) {
      expect(old && unsealGeneration(await partsOf(join(at.home, name)), old).kind, name).toBe('broken');
    }
  });
});

describe('a change of the ways in', () => {
  const changes: [string, (vault: VaultControl) => Promise<unknown>][] = [
    ['set', (vault) => vault.setPassphrase({ passphrase })],
    ['set without keychain', (vault) => vault.setPassphrase({ passphrase, withoutKeychain: true })],
    ['change', (vault) => vault.changePassphrase({ passphrase }, { passphrase: other })],
    ['remove', (vault) => vault.removePassphrase({ passphrase })],
    [
      'create',
      (vault) => vault.addRecoveryKey({ recoveryKey: newRecoveryKey(), passphrase, replace: false }),
    ],
  ];
  const calls = 11;

  it.each(changes)(
    '%s, killed or failing at any step, leaves the old or the new ways',
    async (name, change) => {
      await using at = await temporaryHome();
      for (const dead of [true, false]) {
        for (let failAt = 1; failAt <= calls; failAt += 1) {
          const home = join(at.home, `${dead} ${failAt}`);
          await mkdir(home);
          const { vault, keychain } = await made(home);
          if (!name.startsWith('set')) {
            await vault.setPassphrase({ passphrase });
          }
          await vault.dispose();
          const files = new FailingFiles();
          const dying = await openVault(unitDependencies(home, { keychain, files }));
          files.restart({ failAt, dead });
          const outcome = await change(dying);
          expect(outcome, `step ${failAt}`).toMatchObject({ ok: false, code: 'vault.io' });
          for (const file of ['vault', 'vault.previous']) {
            await using aside = await temporaryHome();
            await copyFile(join(home, file), join(aside.home, 'vault'));
            const found = await openVault(unitDependencies(aside.home, { keychain }));
            const opened =
              found.state().kind === 'open' ||
              (await found.unlock({ passphrase })).ok ||
              (await found.unlock({ passphrase: other })).ok;
            expect(opened, `${file} after step ${failAt}`).toBe(true);
            expect(refreshTokenIn(found.read())).toBe('kept');
          }
          if (!dead) {
            // Memory is as the disk: it goes on.
            files.restart({ failAt: 0 });
            files.restart({ failAt: 0 });
            await dying.update(withSession('next'));
            const next = await openVault(unitDependencies(home, { keychain }));
            await next.unlock({ passphrase });
            await next.unlock({ passphrase: other });
            expect(refreshTokenIn(next.read()), `step ${failAt}`).toBe('next');
          }
        }
      }
    },
  );
});
