import type { LoadedEntries } from '../loaded-config.ts';

/**
 * The access provider that an account is for, as profiles name it: the first in the file’s order of inventories and
 * providers. Null: no inventory uses the account.
 */
export function accessProviderOf(
  account: string,
  { inventories }: Pick<LoadedEntries, 'inventories'>,
): string | null {
  for (const { config } of inventories.values()) {
    const found = config.providers.find((provider) => provider.account === account);
    if (found) {
      return found.name;
    }
  }
  return null;
}
