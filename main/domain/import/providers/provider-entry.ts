import type { Secret } from '../../../base/secret.ts';
import { type CredentialProviderConfig, credentialProviderAccount } from '../../../contract/config/config.ts';
import { mayReachPlugin } from '../../../contract/loader-variables.ts';
import type { CredentialProvider, TokenAttributes } from '../../image/credential-provider.ts';
import { visibleText } from '../../text/visible-text.ts';
import { isSecretInVariable, secretsInArguments } from '../exec-secrets.ts';
import { cacheText } from './cache-text.ts';

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
  const [secret] = secretsInArguments(args);
  if (secret !== undefined) {
    return left(
      `its arguments hold ${secret}: every user of this machine can see them. Put it into env, where the plugin takes it from there; then import again`,
    );
  }
  // Of a repeated name the last value applies, as in exec.
  const variables = [...new Map(provider.env.map(({ name, value }) => [name, value]))];
  const loader = variables.find(([name]) => !mayReachPlugin(name));
  if (loader) {
    return left(
      `its variable ${visibleText(loader[0], 80)} makes programs load or run something else, and no plugin of Lanyard’s gets it`,
    );
  }
  const isSecret = ([name, value]: readonly [string, string]) => isSecretInVariable(name, value);
  const cache = cacheText(defaultCacheMilliseconds);
  const value = {
    apiVersion,
    command,
    ...(args.length > 0 && { args: [...args] }),
    ...(variables.length > 0 && {
      env: variables.map((each) => (isSecret(each) ? { name: each[0] } : { name: each[0], value: each[1] })),
    }),
    ...(tokenAttributes !== null && { tokenAttributes: tokenAttributesOf(tokenAttributes) }),
    ...(cache.text !== '0s' && { defaultCacheDuration: cache.text }),
  };
  const fault = faultOf(value);
  return fault === null
    ? {
        ok: true,
        value: { credentialProvider: value },
        secrets: Object.fromEntries(
          variables.filter(isSecret).map(([name, text]) => [`env.${name}`, secretOf(text)]),
        ),
        notes: [
          ...secretNotes(variables.filter(isSecret).map(([name]) => name)),
          ...(cache.exact ? [] : [`its defaultCacheDuration becomes ${cache.text}`]),
          ...(tokenAttributes?.isRequired
            ? ['it needs a pod’s service account token: docker gets nothing from it, a kubelet does']
            : []),
        ],
      }
    : left(fault);
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

function left(reason: string): ProviderEntry {
  return { ok: false, left: reason };
}

/** What of it config.yaml would reject. Values may be secrets, so none is shown. */
function faultOf(value: Partial<CredentialProviderConfig>): string | null {
  const [issue] = credentialProviderAccount.safeParse(value).error?.issues ?? [];
  if (!issue) {
    return null;
  }
  const [key, index] = issue.path;
  const name = key === 'env' && typeof index === 'number' ? value.env?.[index]?.name : undefined;
  return `its ${String(key ?? 'entry')}${name === undefined ? '' : ` ${visibleText(name, 80)}`}: ${issue.message}`;
}

function secretNotes(names: readonly string[]): string[] {
  const shown = names.map((name) => visibleText(name, 80)).join(', ');
  return names.length === 0
    ? []
    : [
        `its ${shown} ${names.length === 1 ? 'is' : 'are'} copied into the vault; the kubelet’s file keeps ${names.length === 1 ? 'it' : 'them'}, too`,
      ];
}
