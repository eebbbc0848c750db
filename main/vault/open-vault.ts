import { HomeVault } from './home-vault.ts';
import type { VaultControl } from './vault-control.ts';
import type { VaultDependencies } from './vault-dependencies.ts';

/**
 * Opens the home’s vault, or makes one where there is none. What it finds is told by `state()`, not thrown, and
 * nothing that is on disk is changed but temporary files that a killed process left.
 */
export async function openVault(dependencies: VaultDependencies): Promise<VaultControl> {
  const vault = new HomeVault(dependencies);
  await vault.start(dependencies.passphrase ?? null, dependencies.fault ?? null);
  return vault;
}
