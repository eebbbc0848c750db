import type { CredentialProvider } from '../../domain/image/credential-provider.ts';
import { planProviders } from '../../domain/import/providers/plan-providers.ts';
import { importedOf, type ProviderPlan } from '../../domain/import/providers/planned-provider.ts';
import { bindingOf } from '../../domain/program/program-check.ts';
import type { ApplicableImport } from '../../kubeconfig/import/apply.ts';
import type { ConfigStore, SetEdit } from '../../ports/config-store.ts';
import type { Vault } from '../../ports/vault.ts';
import { folderPlugins, type InspectPath } from './folder-plugins.ts';
import { readProviders } from './read-config.ts';

/** A kubelet’s configuration: absolute paths. */
export interface ProviderSource {
  /** A CredentialProviderConfig, or a folder of them: --image-credential-provider-config. */
  path: string;
  /** --image-credential-provider-bin-dir. */
  binFolder: string;
}

/** All that an import of providers would do, worked out; nothing is done yet. */
export interface PreparedProviders extends ApplicableImport {
  source: ProviderSource;
  providers: readonly CredentialProvider[];
  plan: ProviderPlan;
}

export interface PrepareProvidersDeps {
  config: Pick<ConfigStore, 'current'>;
  /** Throws `vault.locked` while it isn’t open: without it, existing secrets are unknown. */
  vault: Pick<Vault, 'read'>;
  inspect: InspectPath;
}

/** Throws BrokerError where the configuration or the folder can’t be used; a kubelet would not start with it. */
export async function prepareProviders(
  source: ProviderSource,
  { config, vault, inspect }: PrepareProvidersDeps,
): Promise<PreparedProviders> {
  vault.read();
  const providers = await readProviders(source.path);
  const plugins = await folderPlugins(
    source.binFolder,
    providers.map(({ name }) => name),
    inspect,
  );
  const seen = config.current();
  const { secrets, sessions } = vault.read();
  const plan = planProviders(providers, plugins, { config: seen, secrets, sessions });
  const imported = importedOf(plan);
  return {
    source,
    providers,
    plan,
    seen,
    edits: [
      ...imported
        .filter(({ accountExists }) => !accountExists)
        .map(
          ({ account, accountValue }): SetEdit => ({
            kind: 'set',
            what: 'account',
            name: account,
            value: accountValue,
          }),
        ),
      ...imported
        .filter(({ registryExists }) => !registryExists)
        .map(
          ({ registry, registryValue }): SetEdit => ({
            kind: 'set',
            what: 'registry',
            name: registry,
            value: registryValue,
          }),
        ),
    ],
    secrets: Object.fromEntries(
      imported
        .filter(({ secretsChange }) => secretsChange)
        .map(({ account, secrets: own }) => [account, own]),
    ),
    programs: Object.fromEntries(
      imported
        .filter(({ accountExists }) => !accountExists)
        .map(({ account, program }) => [account, bindingOf(program)]),
    ),
    authorities: [],
    files: [],
  };
}

/** Whether there is anything to import. */
export function hasProviderWork({ edits, secrets }: PreparedProviders): boolean {
  return edits.length > 0 || Object.keys(secrets).length > 0;
}
