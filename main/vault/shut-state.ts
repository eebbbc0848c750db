import { BrokerError } from '../contract/broker-error.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { SlotKind, VaultState } from '../ports/vault.ts';

/** A state in which no credential is issued from the vault. */
export type ShutState = Exclude<VaultState, { kind: 'open' }>;

/** The error of `read` and `update` in this state. */
export function errorOf(state: ShutState): BrokerError {
  switch (state.kind) {
    case 'none':
      return new BrokerError('vault.none', `there is no vault yet: ${state.reason}`, {
        reason: 'locked',
        hint: 'run: lanyard unlock',
      });
    case 'locked':
      return new BrokerError('vault.locked', `the vault is locked: ${state.reason}`, {
        reason: 'locked',
        hint: unlockHint(state.how, state.ways ?? []),
      });
    case 'broken':
      return new BrokerError(state.code, `the vault can’t be used: ${state.reason}`, { hint: state.hint });
  }
}

/** Names this vault’s unlock methods. Where the keychain is the only one, its key may be lost for good. */
function unlockHint(how: 'keychain' | 'passphrase' | 'gate', ways: readonly SlotKind[]): string {
  const byRecoveryKey = ways.includes('recoveryKey')
    ? '; with the recovery key: lanyard unlock --recovery-key'
    : '';
  if (how !== 'keychain') {
    return `run: lanyard unlock${how === 'gate' ? '' : byRecoveryKey}`;
  }
  if (ways.includes('passphrase')) {
    return `unlock the keychain, or give the passphrase: lanyard unlock${byRecoveryKey}`;
  }
  const lost =
    byRecoveryKey === '' && ways.length > 0 ? '; if its key is lost for good: lanyard vault reset' : '';
  return `unlock the keychain, then run: lanyard unlock${byRecoveryKey}${lost}`;
}

/** `errorOf` as a refusal. */
export function refusalOf(state: ShutState): Refusal {
  return errorOf(state).toRefusal();
}
