import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dependencies, FakeKeychain, passphrase, temporaryHome } from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { openVault, type VaultControl } from './index.ts';

const exportPassphrase = new Secret('of the export alone');
const stored = { serverUrl: 'ghcr.io', userName: 'alice', secret: new Secret('stored') };

/** Stored, then written once more, so that both generations have it. */
async function withStored(home: string, keychain: FakeKeychain): Promise<VaultControl> {
  const vault = await openVault(dependencies(home, { keychain }));
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

it.each(Object.entries(ways))('stored entries outlive %s', async (_, go) => {
  await using at = await temporaryHome();
  const keychain = new FakeKeychain();
  await go(at.home, await withStored(at.home, keychain));
  const again = await openVault(dependencies(at.home, { keychain }));
  if (again.state().kind === 'broken') {
    expect(await again.restorePrevious()).toEqual({ ok: true });
  }
  const { secret, ...rest } = again.read().registryLogins['ghcr.io'] ?? expect.unreachable();
  expect({ ...rest, secret: secret.reveal() }).toEqual({ ...stored, secret: 'stored' });
});
