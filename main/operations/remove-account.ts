import { BrokerError } from '../contract/broker-error.ts';
import { type ConfiguredKind, groupOf } from '../contract/config/config.ts';
import { hasLeftovers } from '../domain/approval/account-leftovers.ts';
import { usesAccount } from '../domain/target/uses-account.ts';
import { unknownName } from '../domain/text/unknown-name.ts';
import type { ConfigStore } from '../ports/config-store.ts';
import type { Vault } from '../ports/vault.ts';
import { type EditConfigDeps, editConfig } from './edit-config.ts';

export interface RemoveAccountDeps extends EditConfigDeps {
  config: Pick<ConfigStore, 'edit' | 'current' | 'stated'>;
  vault: Pick<Vault, 'read' | 'state'>;
  onRemoved(name: string): void;
}

/** The entries of config.yaml that name an account: an account that one of them names stays. */
export function accountUsers(
  name: string,
  config: Pick<ConfigStore, 'current'>,
): { what: ConfiguredKind; names: string[] }[] {
  const { accounts, clusters, registries, inventories } = config.current();
  return (
    [
      // Of profiles in use their inventory is named.
      ['cluster', [...clusters.values()].filter(({ origin }) => origin === undefined)],
      ['registry', [...registries.values()]],
      ['account', [...accounts.values()]],
      ['inventory', [...inventories.values()]],
    ] as const
  ).flatMap(([what, entries]) => {
    const names = entries.filter((entry) => usesAccount(entry.config, name)).map((entry) => entry.name);
    return names.length > 0 ? [{ what, names }] : [];
  });
}

/** What would go with an account. Throws where there is nothing of that name, or where an entry uses it. */
export function planRemoval(
  name: string,
  { config, vault }: Pick<RemoveAccountDeps, 'config' | 'vault'>,
): { inConfig: boolean; holdsSecrets: boolean } {
  const { accounts } = config.current();
  const content = vault.read();
  const holdsSecrets = hasLeftovers(content, name);
  if (!accounts.has(name) && !holdsSecrets) {
    throw unknownName('account', name, accounts.keys());
  }
  const [first] = accountUsers(name, config);
  if (first) {
    const { what, names } = first;
    throw new BrokerError('account.used', `${name} serves these ${groupOf(what)}: ${names.join(', ')}`, {
      reason: 'usage',
      hint: `remove them first: lanyard ${what} remove NAME`,
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
