import type { Secret } from '../../../base/secret.ts';
import {
  type CredentialProviderConfig,
  credentialProviderAccount,
} from '../../../contract/config/accounts/image-plugins.ts';
import type { CredentialProvider, TokenAttributes } from '../../image/credential-provider.ts';
import { cacheText } from './cache-text.ts';
import { entryFault, pluginEntry } from './plugin-entry.ts';

/** A provider as an account of config.yaml, before it has a name. */
export type ProviderEntry =
  | {
      ok: true;
      value: { credentialProvider: Partial<CredentialProviderConfig> };
      /** For the vault, by part: env.NAME. */
      secrets: Readonly<Record<string, Secret>>;
      notes: readonly string[];
    }
  | { ok: false; left: string };

/** The account of a provider whose plugin is at `command`. `secretOf` wraps what goes into the vault. */
export function providerEntry(
  provider: CredentialProvider,
  command: string,
  secretOf: (text: string) => Secret,
): ProviderEntry {
  const { apiVersion, args, defaultCacheMilliseconds, tokenAttributes } = provider;
  const made = pluginEntry({ args, env: provider.env }, 'the kubelet’s file', secretOf);
  if (!made.ok) {
    return made;
  }
  const cache = cacheText(defaultCacheMilliseconds);
  const value = {
    apiVersion,
    command,
    ...made.value,
    ...(tokenAttributes !== null && { tokenAttributes: tokenAttributesOf(tokenAttributes) }),
    ...(cache.text !== '0s' && { defaultCacheDuration: cache.text }),
  };
  const [issue] = credentialProviderAccount.safeParse(value).error?.issues ?? [];
  return issue
    ? { ok: false, left: entryFault(issue, value.env) }
    : {
        ok: true,
        value: { credentialProvider: value },
        secrets: made.secrets,
        notes: [
          ...made.notes,
          ...(cache.exact ? [] : [`its defaultCacheDuration becomes ${cache.text}`]),
          ...(tokenAttributes?.isRequired
            ? ['it needs a pod’s service account token: docker gets nothing from it, a kubelet does']
            : []),
        ],
      };
}

function tokenAttributesOf({
  audience,
  cacheType,
  isRequired,
  requiredAnnotationKeys,
  optionalAnnotationKeys,
}: TokenAttributes): CredentialProviderConfig['tokenAttributes'] {
  return {
    serviceAccountTokenAudience: audience,
    cacheType,
    requireServiceAccount: isRequired,
    ...(requiredAnnotationKeys.length > 0 && {
      requiredServiceAccountAnnotationKeys: [...requiredAnnotationKeys],
    }),
    ...(optionalAnnotationKeys.length > 0 && {
      optionalServiceAccountAnnotationKeys: [...optionalAnnotationKeys],
    }),
  };
}
