import type { LoadedCluster, LoadedConfig } from '../loaded-config.ts';
import { normalizeServerUrl } from '../server-url.ts';
import { authorityKey } from './authority-key.ts';
import { cleanName, FreeNames, isGoodName } from './clean-name.ts';
import type { MadeCluster } from './cluster-entry.ts';

export interface ClusterToName {
  context: string;
  made: Extract<MadeCluster, { ok: true }>;
  account: string;
}

export interface NamedCluster {
  cluster: string;
  /** It is in config.yaml already. */
  exists: boolean;
}

/**
 * Names the clusters of contexts, in their order. One that is there already under the context's name (with a number or
 * without) is taken, whatever a person added to it since. Names that need no cleaning are given out first.
 */
export function nameClusters(
  contexts: readonly ClusterToName[],
  config: Pick<LoadedConfig, 'clusters'>,
): Map<string, NamedCluster> {
  const known = new Map<string, string[]>();
  for (const cluster of config.clusters.values()) {
    const key = keyOfLoaded(cluster);
    for (const base of new Set([cluster.name, cluster.name.replace(/-\d+$/, '')])) {
      const place = `${base}\n${key}`;
      const there = known.get(place);
      there ? there.push(cluster.name) : known.set(place, [cluster.name]);
    }
  }
  const names = new FreeNames((name) => config.clusters.has(name));
  const named = new Map<string, NamedCluster>();
  const claimed = new Set<string>();
  const keyed = contexts.map((each) => ({
    ...each,
    key: keyOf(each),
    wanted: cleanName(each.context, 'cluster'),
  }));
  const find = (contexts: typeof keyed, fits: (name: string, of: (typeof keyed)[number]) => boolean) =>
    contexts.filter((each) => {
      const { context, key, wanted } = each;
      const there = known.get(`${wanted}\n${key}`);
      const cluster = there?.find((name) => !claimed.has(name) && fits(name, each));
      if (cluster !== undefined) {
        claimed.add(cluster);
        named.set(context, { cluster, exists: true });
      }
      return cluster === undefined;
    });
  const unnamed = find(keyed, (name, { context }) => name === context);
  // A number stands only where something else has the name.
  const rest = find(unnamed, (name, { wanted }) => name === wanted || config.clusters.has(wanted));
  const order = [
    ...rest.filter(({ context }) => isGoodName(context)),
    ...rest.filter(({ context }) => !isGoodName(context)),
  ];
  for (const { context, wanted } of order) {
    named.set(context, { cluster: names.take(wanted), exists: false });
  }
  return named;
}

function keyOf({ made, account }: ClusterToName): string {
  const { tlsServerName, insecureSkipTlsVerify, proxyUrl } = made.value;
  return key([account, made.server, made.authorityKey, tlsServerName, insecureSkipTlsVerify, proxyUrl]);
}

function keyOfLoaded({ config, certificateAuthorityPem }: LoadedCluster): string {
  const { account, server, tlsServerName, insecureSkipTlsVerify, proxyUrl } = config;
  return key([
    account,
    address(server),
    authorityKey(certificateAuthorityPem),
    tlsServerName,
    insecureSkipTlsVerify,
    proxyUrl,
  ]);
}

function key([account, server, authority, name, insecure, proxy]: readonly [
  string,
  string,
  string,
  string | undefined,
  boolean | undefined,
  string | undefined,
]): string {
  return JSON.stringify([
    account,
    server,
    authority,
    name?.toLowerCase() ?? null,
    insecure === true,
    proxy === undefined ? null : address(proxy),
  ]);
}

function address(text: string): string {
  const normalized = normalizeServerUrl(text);
  return normalized.ok ? normalized.url : text;
}
