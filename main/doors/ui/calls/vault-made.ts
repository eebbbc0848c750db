import { BrokerError } from '../../../contract/broker-error.ts';
import type { Vault } from '../../../ports/vault.ts';

/**
 * Throws where no vault has the approvals. All that config.yaml has when a vault is made counts as approved
 * (rule: confirmed-binding), and so would a page’s changes.
 */
export function mustHaveVault(vault: Pick<Vault, 'state'>): void {
  const { kind } = vault.state();
  if (kind === 'none' || kind === 'broken') {
    throw new BrokerError('ui.noVault', 'nothing can be changed here before there is a vault', {
      reason: 'locked',
      hint: kind === 'none' ? 'make it first: lanyard unlock' : 'see: lanyard doctor',
    });
  }
}
