import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  FailingFiles,
  FakeKeychain,
  passphrase,
  refreshTokenIn,
  temporaryHome,
  unitDependencies,
  withSession,
} from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { openVault } from './open-vault.ts';

async function damagedVault(home: string, more: Parameters<typeof unitDependencies>[1]) {
  const vault = await openVault(unitDependencies(home, more));
  await vault.update(withSession('first'));
  await vault.update(withSession('second'));
  await vault.dispose();
  await writeFile(join(home, 'vault'), 'damaged');
  return openVault(unitDependencies(home, more));
}

describe('restoring the previous generation', () => {
  it('takes it, keeps the damaged file aside, and marks each session stale, on disk', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    const vault = await damagedVault(at.home, { keychain });
    expect(await vault.restorePrevious()).toEqual({ ok: true });
    const again = await openVault(unitDependencies(at.home, { keychain }));
    for (const each of [vault, again]) {
      expect(refreshTokenIn(each.read())).toBe('first');
      expect(each.read().sessions['corp']?.stale).toBe(true);
    }
    const aside = 'vault.damaged-2026-01-01T00-00-00-000Z';
    expect((await readdir(at.home)).sort()).toEqual(['vault', aside, 'vault.previous']);
    expect(await readFile(join(at.home, aside), 'utf8')).toBe('damaged');
  });

  it('takes it where the vault’s file is gone', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    await damagedVault(at.home, { keychain });
    await rm(join(at.home, 'vault'));
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(await vault.restorePrevious()).toEqual({ ok: true });
    expect(refreshTokenIn(vault.read())).toBe('first');
  });

  it('needs the passphrase', async () => {
    await using at = await temporaryHome();
    const vault = await damagedVault(at.home, { passphrase });
    expect(await vault.restorePrevious()).toMatchObject({ ok: false, reason: 'locked' });
    expect(await vault.restorePrevious({ passphrase: new Secret('wrong') })).toMatchObject({
      ok: false,
      code: 'vault.passphrase.wrong',
    });
    expect(await readFile(join(at.home, 'vault'), 'utf8')).toBe('damaged');
    expect(await vault.restorePrevious({ passphrase })).toEqual({ ok: true });
  });

  it('is refused where the vault is whole, and where the previous one is gone or damaged, too', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    const vault = await damagedVault(at.home, { keychain });
    await writeFile(join(at.home, 'vault.previous'), 'damaged, too');
    expect(await vault.restorePrevious()).toMatchObject({ ok: false, reason: 'internal' });
    await rm(join(at.home, 'vault.previous'));
    expect(await vault.restorePrevious()).toMatchObject({ ok: false, reason: 'notFound' });
    expect(await readFile(join(at.home, 'vault'), 'utf8')).toBe('damaged');

    await using other = await temporaryHome();
    const whole = await openVault(unitDependencies(other.home));
    expect(await whole.restorePrevious()).toMatchObject({ ok: false, code: 'vault.notBroken' });
  });

  it('killed at any step, can be done again', async () => {
    for (let failAt = 1; failAt <= 7; failAt += 1) {
      await using at = await temporaryHome();
      const keychain = new FakeKeychain();
      await damagedVault(at.home, { keychain });
      const dying = await openVault(
        unitDependencies(at.home, { keychain, files: new FailingFiles({ failAt, dead: true }) }),
      );
      expect(await dying.restorePrevious(), `step ${failAt}`).toMatchObject({ ok: false, code: 'vault.io' });
      const vault = await openVault(unitDependencies(at.home, { keychain }));
      if (vault.state().kind !== 'open') {
        expect(vault.state(), `step ${failAt}`).toMatchObject({ kind: 'broken' });
        expect(await vault.restorePrevious()).toEqual({ ok: true });
      }
      expect(refreshTokenIn(vault.read())).toBe('first');
      expect(vault.read().sessions['corp']?.stale).toBe(true);
    }
  });
});

describe('a previous generation that was restored by hand', () => {
  it.each([
    ['copied, as the hint says', copyFile],
    ['moved', rename],
  ])('%s: its sessions are stale, on disk', async (_, put) => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    await damagedVault(at.home, { keychain });
    await put(join(at.home, 'vault.previous'), join(at.home, 'vault'));
    await openVault(unitDependencies(at.home, { keychain }));
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    expect(vault.read().sessions['corp']).toMatchObject({ stale: true });
    expect(refreshTokenIn(vault.read())).toBe('first');
    // Once: a login after it stays.
    await vault.update(withSession('new'));
    const again = await openVault(unitDependencies(at.home, { keychain }));
    expect(again.read().sessions['corp']).toMatchObject({ stale: false });
  });

  it('on a disk that can’t be written: stale in memory', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    await damagedVault(at.home, { keychain });
    await copyFile(join(at.home, 'vault.previous'), join(at.home, 'vault'));
    const files = new FailingFiles({ failAt: 1, dead: true, code: 'EROFS' });
    const vault = await openVault(unitDependencies(at.home, { keychain, files }));
    expect(vault.read().sessions['corp']).toMatchObject({ stale: true });
  });

  it('is not taken for one where a write was killed halfway', async () => {
    await using at = await temporaryHome();
    const keychain = new FakeKeychain();
    const vault = await openVault(unitDependencies(at.home, { keychain }));
    await vault.update(withSession('kept'));
    // Killed after the previous one was set, before the new one was.
    const files = new FailingFiles({ failAt: 7, dead: true });
    const dying = await openVault(unitDependencies(at.home, { keychain, files }));
    await dying.update(withSession('lost')).catch(() => undefined);
    const [current, previous] = await Promise.all(
      ['vault', 'vault.previous'].map((name) => readFile(join(at.home, name))),
    );
    expect(current).toEqual(previous);
    const after = await openVault(unitDependencies(at.home, { keychain }));
    expect(after.read().sessions['corp']).toMatchObject({ stale: false });
  });
});
