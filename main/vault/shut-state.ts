import { BrokerError } from '../contract/broker-error.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { VaultState } from '../ports/vault.ts';

/** A state in which nothing is handed out. */
export type ShutState = Exclude<VaultState, { kind: 'open' }>;

/** What `read` and `update` throw meanwhile. */
export function errorOf(state: ShutState): BrokerError {
  const unlockHint = 'run: lanyard unlock';
  switch (state.kind) {
    case 'none':
      return new BrokerError('vault.none', `there is no vault yet: ${state.reason}`, {
        reason: 'locked',
        hint: unlockHint,
      });
    case 'locked':
      return new BrokerError('vault.locked', `the vault is locked: ${state.reason}`, {
        reason: 'locked',
        hint: state.how === 'keychain' ? `unlock the keychain, then ${unlockHint}` : unlockHint,
      });
    case 'broken':
      return new BrokerError(state.code, `the vault can’t be used: ${state.reason}`, { hint: state.hint });
  }
}

export function refusalOf(state: ShutState): Refusal {
  return errorOf(state).toRefusal();
}
