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
  const keys = new Map<string, string>();
  const known = new Map<string, string[]>();
  for (const cluster of config.clusters.values()) {
    const key = keyOfLoaded(cluster);
    keys.set(cluster.name, key);
    for (const base of new Set([cluster.name, cluster.name.replace(/-\d+$/, '')])) {
      const place = `${base}\n${key}`;
      const there = known.get(place);
      there ? there.push(cluster.name) : known.set(place, [cluster.name]);
    }
  }
  const named = new Map<string, NamedCluster>();
  const claimed = new Set<string>();
  const claim = (context: string, cluster: string) => {
    claimed.add(cluster);
    named.set(context, { cluster, exists: true });
  };
  const keyed = contexts.map((each) => ({
    context: each.context,
    key: keyOf(each),
    wanted: cleanName(each.context, 'cluster'),
  }));
  for (const { context, key } of keyed) {
    if (keys.get(context) === key) {
      claim(context, context);
    }
  }
  const rest = keyed.filter(({ context, key, wanted }) => {
    if (named.has(context)) {
      return false;
    }
    // A number stands only where something else has the name. What is claimed already is passed once, not each time.
    const there = (config.clusters.has(wanted) && known.get(`${wanted}\n${key}`)) || [];
    while (there[0] !== undefined && claimed.has(there[0])) {
      there.shift();
    }
    const [cluster] = there;
    if (cluster !== undefined) {
      claim(context, cluster);
    }
    return cluster === undefined;
  });
  const names = new FreeNames((name) => config.clusters.has(name));
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
