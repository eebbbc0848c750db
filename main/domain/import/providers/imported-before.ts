import { isDeepStrictEqual } from 'node:util';
import { Secret } from '../../../base/secret.ts';
import { credentialProviderAccount } from '../../../contract/config/accounts/image-plugins.ts';
import type { CredentialProvider } from '../../image/credential-provider.ts';
import type { LoadedConfig } from '../../loaded-config.ts';
import type { KnownEntries } from './plan-providers.ts';
import { providerEntry } from './provider-entry.ts';

/** What an import made of a configuration, and is still as it was made. */
export interface ImportedEntries {
  accounts: readonly string[];
  registries: readonly string[];
  /** Accounts that stay, and why. */
  left: readonly { account: string; why: string }[];
}

/**
 * The entries of config.yaml that are as an import of these providers makes them. What the user changed since stays, and
 * so does an account that something else uses.
 */
export function importedEntries(
  providers: readonly CredentialProvider[],
  { config, secrets }: { config: LoadedConfig; secrets: KnownEntries['secrets'] },
): ImportedEntries {
  const accounts: string[] = [];
  const registries: string[] = [];
  const left: { account: string; why: string }[] = [];
  for (const provider of providers) {
    for (const { name, config: account } of config.accounts.values()) {
      if (
        !('credentialProvider' in account) ||
        pluginName(account.credentialProvider.command) !== provider.name
      ) {
        continue;
      }
      const { command } = account.credentialProvider;
      const made = providerEntry(provider, command, (text) => new Secret(text));
      const stored = Object.hasOwn(secrets, name) ? (secrets[name] ?? {}) : {};
      const isSame =
        made.ok &&
        isDeepStrictEqual(
          account.credentialProvider,
          credentialProviderAccount.parse(made.value.credentialProvider),
        ) &&
        Object.entries(stored).every(([part, secret]) => made.secrets[part]?.reveal() === secret.reveal());
      if (!isSame) {
        left.push({ account: name, why: 'it has changed since, or was not made of this configuration' });
        continue;
      }
      const own = [...config.registries.values()].filter((each) => each.config.account === name);
      const removed = own.filter(
        ({ config: { account: _, matchImages, ...settings } }) =>
          isDeepStrictEqual(settings, { approval: 'never', cacheDuration: '0s' }) &&
          matchImages.every((pattern) => provider.matchImages.includes(pattern)),
      );
      registries.push(...removed.map((each) => each.name));
      const users = [
        ...own.filter((each) => !removed.includes(each)),
        ...[...config.clusters.values()].filter((each) => each.config.account === name),
      ];
      if (users.length === 0) {
        accounts.push(name);
      } else {
        left.push({ account: name, why: `${users.map((each) => each.name).join(', ')} uses it` });
      }
    }
  }
  return { accounts, registries, left };
}

/** The name in the plugin folder, by which the provider has it. */
function pluginName(command: string): string {
  return (command.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '');
}
