import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  FakeKeychain,
  passphrase,
  temporaryHome,
  unavailable,
  unitDependencies,
} from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { openVault, type VaultControl } from './index.ts';

const exportPassphrase = new Secret('of the export alone');
const stored = { serverUrl: 'ghcr.io', userName: 'alice', secret: new Secret('stored') };

/** Stored, then written once more, so that both generations have it. */
async function withStored(home: string, keychain: FakeKeychain): Promise<VaultControl> {
  const vault = await openVault(unitDependencies(home, { keychain }));
  await vault.update((content) => ({ ...content, registryLogins: { 'ghcr.io': stored } }));
  await vault.update((content) => ({ ...content }));
  return vault;
}

/** Each way on which the whole content is written anew, or read from another file. */
const ways: Readonly<Record<string, (home: string, vault: VaultControl) => Promise<void>>> = {
  'a lock': async (_, vault) => {
    await vault.lock();
    await vault.unlock();
  },
  'a new passphrase': async (_, vault) => {
    expect(await vault.setPassphrase({ passphrase })).toEqual({ ok: true });
  },
  'the previous generation': async (home, vault) => {
    await vault.dispose();
    await writeFile(join(home, 'vault'), 'damaged');
  },
  'the previous generation, put back by hand': async (home, vault) => {
    await vault.dispose();
    await copyFile(join(home, 'vault.previous'), join(home, 'vault'));
  },
  'an export that is restored': async (home, vault) => {
    const path = join(home, 'export');
    expect(await vault.exportTo(path, exportPassphrase)).toEqual({ ok: true });
    await vault.update((content) => ({ ...content, registryLogins: {} }), { bothGenerations: true });
    expect(await vault.restoreFrom(path, { passphrase: exportPassphrase })).toMatchObject({ ok: true });
  },
};

it.each([true, false])(
  'a locked vault knows which servers have entries (after a new start: %s)',
  async (isNew) => {
    await using at = await temporaryHome();
    const of = unitDependencies(at.home, { keychain: new FakeKeychain() });
    const vault = await openVault({ ...of, passphrase });
    const has = (each: VaultControl) => ['ghcr.io', 'quay.io'].map((key) => each.hasRegistryLogin(key));
    expect(has(vault)).toEqual([false, false]);
    await vault.update((content) => ({ ...content, registryLogins: { 'ghcr.io': stored } }));
    expect(has(vault)).toEqual([true, false]);
    await vault.lock();
    if (isNew) {
      await vault.dispose();
    }
    const locked = isNew ? await openVault(of) : vault;
    expect(locked.state()).toMatchObject({ kind: 'locked' });
    expect(locked.state()).not.toHaveProperty('header');
    expect(has(locked)).toEqual([true, false]);
    expect(await locked.unlock({ passphrase: new Secret('another one, wrong') })).toMatchObject({
      ok: false,
    });
    expect(has(locked)).toEqual([true, false]);
    expect(await locked.unlock({ passphrase })).toEqual({ ok: true });
    await locked.update((content) => ({ ...content, registryLogins: {} }));
    await locked.lock();
    expect(has(locked)).toEqual([false, false]);
    expect((await readFile(join(at.home, 'vault'))).includes('logins')).toBe(false);
  },
);

it('a broken vault may have any entry, a home without a vault has none', async () => {
  await using at = await temporaryHome();
  const keychain = new FakeKeychain();
  keychain.failure = unavailable;
  const of = unitDependencies(at.home, { keychain });
  const none = await openVault(of);
  expect([none.state().kind, none.hasRegistryLogin('ghcr.io')]).toEqual(['none', false]);
  await writeFile(join(at.home, 'vault'), 'damaged');
  const broken = await openVault(of);
  expect([broken.state().kind, broken.hasRegistryLogin('ghcr.io')]).toEqual(['broken', true]);
});

it.each(Object.entries(ways))('stored entries outlive %s', async (_, go) => {
  await using at = await temporaryHome();
  const keychain = new FakeKeychain();
  await go(at.home, await withStored(at.home, keychain));
  const again = await openVault(unitDependencies(at.home, { keychain }));
  if (again.state().kind === 'broken') {
    expect(await again.restorePrevious()).toEqual({ ok: true });
  }
  const { secret, ...rest } = again.read().registryLogins['ghcr.io'] ?? expect.unreachable();
  expect({ ...rest, secret: secret.reveal() }).toEqual({ ...stored, secret: 'stored' });
});
