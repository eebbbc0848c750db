import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { ClusterConfig } from '../../contract/config/cluster.ts';
import { secretDataKey, secretName } from '../../contract/config/names.ts';
import type { LoadedEntries } from '../loaded-config.ts';

/** An account whose credentials are in Secrets of a hub, whichever of the two kinds it is. */
export interface SecretReader {
  kind: 'secretReader' | 'kubeconfigSecretReader';
  /** The hub: a cluster of config.yaml. */
  cluster: string;
  namespace: string;
  /** The data’s key with the token; null: the target cluster says it. */
  key: string | null;
  cacheSeconds: number | undefined;
}

/** The Secret that has one cluster’s credential. All names are ones that Kubernetes takes. */
export interface SecretReference {
  namespace: string;
  name: string;
  /** Of its data. */
  key: string;
  /** The context of the kubeconfig; null: its current one. */
  context: string | null;
}

type ReaderConfig = Extract<AccountConfig, { secretReader: unknown } | { kubeconfigSecretReader: unknown }>;

/** Null: the account is of another kind. */
export function secretReaderOf(config: ReaderConfig): SecretReader;
export function secretReaderOf(config: AccountConfig): SecretReader | null;
export function secretReaderOf(config: AccountConfig): SecretReader | null {
  if ('secretReader' in config) {
    return { kind: 'secretReader', ...config.secretReader, cacheSeconds: config.secretReader.cacheSeconds };
  }
  if ('kubeconfigSecretReader' in config) {
    const { cluster, namespace, cacheSeconds } = config.kubeconfigSecretReader;
    return { kind: 'kubeconfigSecretReader', cluster, namespace, key: null, cacheSeconds };
  }
  return null;
}

/**
 * The Secret for a cluster, by its `execConfig` (spec.cluster.config of KEP-541), with the names that the community’s
 * plugins have there: `clusterName`; or `name`, `key` and `context`. Their `namespace` is not read: who can write a
 * profile must not choose it. `fault`: the end of a sentence about the cluster.
 */
export function secretReferenceOf(
  { kind, namespace, key }: Pick<SecretReader, 'kind' | 'namespace' | 'key'>,
  execConfig: ClusterConfig['execConfig'],
): { ok: true; reference: SecretReference } | { ok: false; fault: string } {
  const isToken = kind === 'secretReader';
  const field = isToken ? 'clusterName' : 'name';
  const name = textIn(execConfig, field);
  if (name === undefined) {
    return fail(`has no execConfig.${field}, which names the Secret`);
  }
  if (!secretName.safeParse(name).success) {
    return fail(`has an execConfig.${field} that no Secret can have as its name`);
  }
  const dataKey = isToken ? key : textIn(execConfig, 'key');
  if (dataKey === undefined || dataKey === null) {
    return fail('has no execConfig.key, which names the Secret’s key with the kubeconfig');
  }
  if (!secretDataKey.safeParse(dataKey).success) {
    return fail('has an execConfig.key that no Secret’s data can have');
  }
  const context = isToken ? undefined : textIn(execConfig, 'context');
  if (context === null) {
    return fail('has an execConfig.context that is no text');
  }
  return {
    ok: true,
    reference: { namespace, name: String(name), key: dataKey, context: context ?? null },
  };
}

/** Undefined: none, or an empty one, as Go has them alike; null: it is no text. */
function textIn(config: ClusterConfig['execConfig'], field: string): string | null | undefined {
  const value: unknown =
    typeof config === 'object' && config !== null && !Array.isArray(config) && Object.hasOwn(config, field)
      ? (config as Readonly<Record<string, unknown>>)[field]
      : undefined;
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  return typeof value === 'string' ? value : null;
}

function fail(fault: string) {
  return { ok: false, fault } as const;
}

/** The account of the hub of an account; null: it reads no Secrets, or one of them is unknown. */
export function accountOfHub(
  account: string,
  { accounts, clusters }: Pick<LoadedEntries, 'accounts' | 'clusters'>,
): string | null {
  const config = accounts.get(account)?.config;
  const reader = config ? secretReaderOf(config) : null;
  return reader ? (clusters.get(reader.cluster)?.config.account ?? null) : null;
}

/**
 * Whether the credential that an account needs for its hub would at last come from an account that was passed already:
 * the accounts on that way, the last one twice. Null: the way ends. `next`: the account of an account’s hub; null: it
 * reads no Secrets, or its hub is unknown.
 */
export function readerLoop(account: string, next: (account: string) => string | null): string[] | null {
  const passed = [account];
  for (let at = next(account); at !== null; at = next(at)) {
    const isLoop = passed.includes(at);
    passed.push(at);
    if (isLoop) {
      return passed;
    }
  }
  return null;
}
