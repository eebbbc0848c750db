import type { Bindings } from '../../access/bindings.ts';
import type { CredentialProvider } from '../../domain/image/credential-provider.ts';
import { type ImportedEntries, importedEntries } from '../../domain/import/providers/imported-before.ts';
import type { EntryName } from '../../domain/loaded-config.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import type { Recorder } from '../../ports/history.ts';
import type { Vault } from '../../ports/vault.ts';

export interface UndoProvidersDeps {
  config: Pick<ConfigStore, 'edit' | 'current'>;
  vault: Pick<Vault, 'read'>;
  bindings: Pick<Bindings, 'forget' | 'forgetAccount'>;
  recorder: Recorder;
  /** Nothing that was made for the account is issued any more. */
  onRemoved(account: string): void;
}

/** What one import made, by name. */
export type MadeEntries = Pick<ImportedEntries, 'accounts' | 'registries'>;

/**
 * Removes from config.yaml and the vault what an import of these providers made, as far as it is still so; `made`: this
 * import alone, not what an earlier one of the same providers made. A kill in between leaves approvals and secrets of removed accounts in the vault, as `account remove` does. Throws `vault.locked`.
 */
export async function undoProviders(
  providers: readonly CredentialProvider[],
  { config, vault, bindings, recorder, onRemoved }: UndoProvidersDeps,
  made?: MadeEntries,
): Promise<ImportedEntries> {
  const all = importedEntries(providers, { config: config.current(), secrets: vault.read().secrets });
  const found = made ? onlyOf(made, all) : all;
  const registries = found.registries.map((name): EntryName => ({ what: 'registry', name }));
  const accounts = found.accounts.map((name): EntryName => ({ what: 'account', name }));
  const gone = [...registries, ...accounts];
  if (gone.length === 0) {
    return found;
  }
  await config.edit(gone.map((entry) => ({ kind: 'remove', ...entry })));
  for (const { what, name } of gone) {
    recorder.record({ kind: 'change', what: `${what}.remove`, name });
  }
  await bindings.forget(registries);
  for (const { name } of accounts) {
    await bindings.forgetAccount(name);
    onRemoved(name);
  }
  return found;
}

function onlyOf(made: MadeEntries, { accounts, registries, left }: ImportedEntries): ImportedEntries {
  return {
    accounts: accounts.filter((name) => made.accounts.includes(name)),
    registries: registries.filter((name) => made.registries.includes(name)),
    left: left.filter(({ account }) => made.accounts.includes(account)),
  };
}
