import type { AccountConfig } from '../../../../contract/config/accounts/account.ts';
import type { CredentialProviderConfig } from '../../../../contract/config/accounts/image-plugins.ts';
import {
  givesIdentityToken,
  identityTokenText,
  type RegistryLogin,
} from '../../../../domain/image/kubelet-fit.ts';
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
export function providersOf({ registries, accounts }: Pick<LoadedConfig, 'registries' | 'accounts'>): {
  providers: PrintedProvider[];
  /** Registries whose credential no kubelet can use, and why. */
  left: { registry: string; why: string }[];
} {
  const providers = new Map<string, PrintedProvider>();
  const left: { registry: string; why: string }[] = [];
  for (const { name, config } of registries.values()) {
    if (config.calledAs !== undefined) {
      continue;
    }
    const account = accounts.get(config.account);
    if (account && givesIdentityToken(loginOf(account.config), config)) {
      left.push({ registry: name, why: identityTokenText(account.name) });
      continue;
    }
    const tokenAttributes = account ? tokenAttributesOf(account.config) : null;
    const key = JSON.stringify(tokenAttributes);
    const provider = providers.get(key) ?? { patterns: [], tokenAttributes };
    provider.patterns = [...new Set([...provider.patterns, ...config.matchImages])];
    providers.set(key, provider);
  }
  return {
    providers: [...providers.values()].sort(
      (a, b) => Number(a.tokenAttributes !== null) - Number(b.tokenAttributes !== null),
    ),
    left,
  };
}

function loginOf(account: AccountConfig): RegistryLogin {
  return 'registry' in account
    ? { kind: 'registry', userName: account.registry.userName ?? null }
    : { kind: Object.keys(account)[0] ?? '', userName: null };
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
