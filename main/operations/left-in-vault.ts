import { hasLeftovers } from '../domain/approval/account-leftovers.ts';
import type { LoadedConfig } from '../domain/loaded-config.ts';
import type { Vault } from '../ports/vault.ts';

export interface LeftInVaultDeps {
  config: { current(): Pick<LoadedConfig, 'accounts'> };
  vault: Pick<Vault, 'read'>;
}

/** Names the accounts that config.yaml has no more and the vault something of; null: none. Throws `vault.locked`. */
export function leftInVaultText({ config, vault }: LeftInVaultDeps): string | null {
  const { accounts } = config.current();
  const held = vault.read();
  const names = [...new Set([...Object.keys(held.sessions), ...Object.keys(held.secrets)])].filter(
    (name) => !accounts.has(name) && hasLeftovers(held, name),
  );
  const [first = '', ...more] = names;
  return names.length === 0
    ? null
    : `The vault still has the login or secrets of ${names.join(', ')}. Remove them: lanyard account remove ${more.length === 0 ? first : 'NAME'}`;
}
