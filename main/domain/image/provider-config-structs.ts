import type { GoStruct } from '../decode/go-type.ts';

const group = 'kubelet.config.k8s.io';

const commonFields = {
  name: 'string',
  matchImages: { list: 'string', go: '[]string' },
  defaultCacheDuration: 'duration',
  apiVersion: 'string',
  args: { list: 'string', go: '[]string' },
} as const;

const env = <const V extends string>(version: V) =>
  ({
    list: { go: `${version}.ExecEnvVar`, fields: { name: 'string', value: 'string' } },
    go: `[]${version}.ExecEnvVar`,
  }) as const;

const config = <const V extends string, const F extends GoStruct['fields']>(version: V, fields: F) =>
  ({
    go: `${version}.CredentialProviderConfig`,
    fields: {
      kind: 'string',
      apiVersion: 'string',
      providers: {
        list: { go: `${version}.CredentialProvider`, fields },
        go: `[]${version}.CredentialProvider`,
      },
    },
  }) as const satisfies GoStruct;

const tokenAttributes = {
  go: 'v1.ServiceAccountTokenAttributes',
  isPointer: true,
  fields: {
    serviceAccountTokenAudience: 'string',
    cacheType: { string: 'v1.ServiceAccountTokenCacheType' },
    requireServiceAccount: 'bool',
    requiredServiceAccountAnnotationKeys: { list: 'string', go: '[]string' },
    optionalServiceAccountAnnotationKeys: { list: 'string', go: '[]string' },
  },
} as const;

/** v1 has tokenAttributes; a file of an earlier version that has them fails. */
export const latestConfig = config('v1', { ...commonFields, env: env('v1'), tokenAttributes });

/** k8s.io/kubelet/config, by apiVersion. */
export const configTypes: ReadonlyMap<string, GoStruct> = new Map<string, GoStruct>([
  [`${group}/v1`, latestConfig],
  ...['v1alpha1', 'v1beta1'].map(
    (version) => [`${group}/${version}`, config(version, { ...commonFields, env: env(version) })] as const,
  ),
]);
