import { BrokerError } from '../contract/broker-error.ts';
import { hasLeftovers } from '../domain/approval/account-leftovers.ts';
import { unknownName } from '../domain/text/unknown-name.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import type { Vault } from '../ports/vault.ts';
import { type EditConfigDeps, editConfig } from './edit-config.ts';

export interface RemoveAccountDeps extends EditConfigDeps {
  config: Pick<ConfigStore, 'edit' | 'current' | 'stated'>;
  vault: Pick<Vault, 'read' | 'state'>;
  onRemoved(name: string): void;
}

/** What would go with an account. Throws where there is nothing of that name, or where clusters use it. */
export function planRemoval(
  name: string,
  { config, vault }: Pick<RemoveAccountDeps, 'config' | 'vault'>,
): { inConfig: boolean; holdsSecrets: boolean } {
  const { accounts, clusters } = config.current();
  const content = vault.read();
  const holdsSecrets = hasLeftovers(content, name);
  if (!accounts.has(name) && !holdsSecrets) {
    throw unknownName('account', name, accounts.keys());
  }
  const users = [...clusters.values()].filter((cluster) => cluster.config.account === name);
  if (users.length > 0) {
    const names = users.map((cluster) => cluster.name).join(', ');
    throw new BrokerError('account.used', `${name} serves these clusters: ${names}`, {
      reason: 'usage',
      hint: 'remove them first: lanyard cluster remove NAME',
    });
  }
  return { inConfig: accounts.has(name), holdsSecrets };
}

/** Removes an account from config.yaml, then what the vault has of it. A kill in between leaves it approved as it was. */
export async function removeAccount(name: string, deps: RemoveAccountDeps): Promise<void> {
  const { inConfig } = planRemoval(name, deps);
  if (inConfig) {
    await editConfig({ kind: 'remove', what: 'account', name }, { kind: 'asking' }, deps);
  } else {
    await deps.bindings.forgetAccount(name);
  }
  deps.onRemoved(name);
}
