import { HomeVault } from './home-vault.ts';
import type { VaultControl } from './vault-control.ts';
import type { VaultDependencies } from './vault-dependencies.ts';

/**
 * Opens the home’s vault, or makes one where there is none. Doesn’t throw for what it finds: `state()` has it. Changes
 * nothing on disk but the temporary files of a killed process.
 */
export async function openVault(dependencies: VaultDependencies): Promise<VaultControl> {
  const vault = new HomeVault(dependencies);
  await vault.start(dependencies.passphrase ?? null, dependencies.fault ?? null);
  return vault;
}
