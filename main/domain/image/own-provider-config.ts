import type { LoadedConfig } from '../loaded-config.ts';
import { configHash } from './provider-config.ts';

/**
 * The hash of the provider plugins of config.yaml, as a kubelet has one of its CredentialProviderConfig
 * (kubelet_credential_provider_config_info): another one after each change of a plugin or of the patterns that it is
 * asked for. Null: there are no provider plugins.
 */
export function ownProviderConfigHash({
  accounts,
  registries,
}: Pick<LoadedConfig, 'accounts' | 'registries'>): string | null {
  const providers = [...accounts.values()].flatMap(({ name, config }) =>
    'credentialProvider' in config
      ? [
          {
            name,
            matchImages: [...registries.values()].flatMap((registry) =>
              registry.config.account === name ? registry.config.matchImages : [],
            ),
            ...config.credentialProvider,
          },
        ]
      : [],
  );
  if (providers.length === 0) {
    return null;
  }
  const text = JSON.stringify({ kind: 'CredentialProviderConfig', providers });
  return configHash([{ path: '', bytes: Buffer.from(text) }]);
}
