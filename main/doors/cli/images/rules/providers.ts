import type { AccountConfig } from '../../../../contract/config/accounts/account.ts';
import type { CredentialProviderConfig } from '../../../../contract/config/accounts/image-plugins.ts';
import type { LoadedConfig } from '../../../../domain/loaded-config.ts';

/** As a CredentialProviderConfig has them; a kubelet takes no empty lists amiss. */
type TokenAttributes = NonNullable<CredentialProviderConfig['tokenAttributes']>;

/** One provider of the CredentialProviderConfig that a kubelet is given. */
export interface PrintedProvider {
  patterns: string[];
  /** Null: its registries need no service account token. */
  tokenAttributes: TokenAttributes | null;
}

/**
 * The providers for the registries of config.yaml that a kubelet can ask for: one for all that need no service account
 * token, first, and one for each kind of token that the others need.
 */
export function providersOf({ registries, accounts }: Pick<LoadedConfig, 'registries' | 'accounts'>) {
  const providers = new Map<string, PrintedProvider>();
  for (const { config } of registries.values()) {
    if (config.calledAs !== undefined) {
      continue;
    }
    const account = accounts.get(config.account);
    const tokenAttributes = account ? tokenAttributesOf(account.config) : null;
    const key = JSON.stringify(tokenAttributes);
    const provider = providers.get(key) ?? { patterns: [], tokenAttributes };
    provider.patterns = [...new Set([...provider.patterns, ...config.matchImages])];
    providers.set(key, provider);
  }
  return [...providers.values()].sort(
    (a, b) => Number(a.tokenAttributes !== null) - Number(b.tokenAttributes !== null),
  );
}

/** What a kubelet has to pass on for an account; null: nothing. */
function tokenAttributesOf(account: AccountConfig): TokenAttributes | null {
  if ('credentialProvider' in account) {
    return account.credentialProvider.tokenAttributes ?? null;
  }
  return 'oidc' in account && account.oidc.flow === 'serviceAccountToken'
    ? {
        serviceAccountTokenAudience: account.oidc.serviceAccountTokenAudience ?? account.oidc.issuer,
        cacheType: 'Token',
        requireServiceAccount: true,
      }
    : null;
}
