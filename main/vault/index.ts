export { keychainService } from './key-in-keychain.ts';
export { openVault } from './open-vault.ts';
export { passphraseFault } from './passphrase-rules.ts';
export { newRecoveryKey } from './recovery-key.ts';
export { refusalOf } from './shut-state.ts';
export type { Admit, Opener, Replaced, Unlocked, VaultChanged, VaultControl } from './vault-control.ts';
export type { VaultDependencies } from './vault-dependencies.ts';
