import type { ProviderVersion } from './provider-versions.ts';

/** One plugin of a CredentialProviderConfig. */
export interface CredentialProvider {
  name: string;
  matchImages: readonly string[];
  /** Milliseconds, with fractions; 0: an answer without its own duration is not cached. */
  defaultCacheMilliseconds: number;
  apiVersion: ProviderVersion;
  args: readonly string[];
  env: readonly { name: string; value: string }[];
  tokenAttributes: TokenAttributes | null;
}

/** How the plugin gets a service account's token (KEP-4412). */
export interface TokenAttributes {
  audience: string;
  cacheType: TokenCacheType;
  isRequired: boolean;
  /** Annotations of the service account, without which the plugin isn't run. */
  requiredAnnotationKeys: readonly string[];
  optionalAnnotationKeys: readonly string[];
}

export type TokenCacheType = 'ServiceAccount' | 'Token';
