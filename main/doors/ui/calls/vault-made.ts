import { BrokerError } from '../../../contract/broker-error.ts';
import type { Vault } from '../../../ports/vault.ts';

/**
 * Throws where no vault remembers what a person has confirmed: all that stands in config.yaml when one is made counts as
 * confirmed (rule: confirmed-binding), and so would what a page has written until then.
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
