import type { ApprovedShapes } from '../domain/inventory/uncontested.ts';
import type { Vault } from '../ports/vault.ts';
import type { VaultControl } from '../vault/vault-control.ts';
import type { WithProfilesDeps } from './with-profiles.ts';

/** What of a vault tells what was approved. */
export type ApprovingVault = Pick<Vault, 'state' | 'read'> & Pick<VaultControl, 'onChange' | 'onUpdated'>;

/** What a vault says was approved of clusters, while it is open. */
export function vaultApprovals(vault: ApprovingVault): WithProfilesDeps['approvals'] {
  const current = (): ApprovedShapes =>
    vault.state().kind === 'open' ? vault.read().confirmed.clusters : null;
  return {
    current,
    onChange(listener) {
      let before = current();
      // A vault is written for each login, too.
      const compare = () => {
        const now = current();
        if (now !== before) {
          before = now;
          listener();
        }
      };
      const subscriptions = [vault.onChange(compare), vault.onUpdated(compare)];
      return {
        dispose() {
          for (const subscription of subscriptions) {
            subscription.dispose();
          }
        },
      };
    },
  };
}
