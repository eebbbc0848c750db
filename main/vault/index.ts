export { openVault } from './open-vault.ts';
export { refusalOf } from './shut-state.ts';
export type { VaultChanged, VaultControl } from './vault-control.ts';
export type { VaultDependencies } from './vault-dependencies.ts';
