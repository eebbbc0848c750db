export { openVault, type VaultDependencies } from './open-vault.ts';
export type { VaultChanged, VaultControl } from './vault-control.ts';
