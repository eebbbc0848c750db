import type { ClusterConfig } from '../../contract/config/cluster.ts';
import type { LoadedCluster, LoadedConfig } from '../loaded-config.ts';
import { comparedUrl } from '../server/server-url.ts';
import { sortedJson } from '../text/sorted-json.ts';
import { authorityKey } from './authority-key.ts';
import { chosenByGroup } from './chosen-names.ts';
import { cleanName, FreeNames, isGoodName, lostName } from './clean-name.ts';
import type { MadeCluster } from './cluster-entry.ts';
import type { ImportedBefore } from './imported-before.ts';
import type { Origin } from './kubeconfig.ts';

export interface ClusterToName {
  /** Its name in the import. */
  context: string;
  /** Where it stands: an import remembers it by file and name, and its cluster gets that name where it is free. */
  origin: Pick<Origin, 'file' | 'name'>;
  made: Extract<MadeCluster, { ok: true }>;
  account: string;
}

export interface NamedCluster {
  cluster: string;
  /** It is in config.yaml already, and the same. */
  exists: boolean;
  /** The cluster of config.yaml that it replaces. */
  replaces: LoadedCluster | null;
  /** The context that has the same cluster, and its name; null: its own. */
  sharedWith: string | null;
}

export interface ClusterNaming {
  /** Contexts that differ in nothing but their namespaces are one cluster. */
  shares: boolean;
  /** The names that the user wants, by context. */
  chosen: ReadonlyMap<string, string>;
  /** Whether a file of the import has the context. */
  isThere(file: string, nameInFile: string): boolean;
}

/**
 * Names the clusters of contexts, in their order. Where `shares`, contexts that differ in nothing but their namespaces
 * are one cluster, under the shortest of their names; one that an earlier import made is still its own. Else each
 * context is a cluster, but for those of several files that say the same under the same name.
 */
export function nameClusters(
  contexts: readonly ClusterToName[],
  config: Pick<LoadedConfig, 'clusters'>,
  before: ImportedBefore,
  { shares, chosen, isThere }: ClusterNaming,
): Map<string, NamedCluster> {
  const others = othersOf(contexts, config, before, shares);
  const own = contexts.filter(({ context }) => !others.has(context));
  const placeIn = ({ file, name }: ClusterToName['origin']) => `${file}\n${name}`;
  const keys = new Map(contexts.map((each) => [placeIn(each.origin), keyOf(each)]));
  // Of contexts that share a cluster, one can't take it along to another server.
  const moves = (cluster: string, each: ClusterToName) =>
    before
      .contextsOf(cluster)
      .every(
        ({ file, context }) =>
          !isThere(file, context) || keys.get(placeIn({ file, name: context })) === keyOf(each),
      );
  // The name that was chosen for any of the contexts that share a cluster is the cluster's.
  const wanted = chosenByGroup([...own.map(({ context }) => [context, context] as const), ...others], chosen);
  const named = nameEach(own, config, before, { chosen: wanted, moves });
  for (const [context, first] of others) {
    const cluster = named.get(first);
    if (cluster) {
      named.set(context, { ...cluster, sharedWith: first });
    }
  }
  return named;
}

/** Contexts that have the cluster of another one, by that one’s name. */
function othersOf(
  contexts: readonly ClusterToName[],
  config: Pick<LoadedConfig, 'clusters'>,
  before: ImportedBefore,
  shares: boolean,
): Map<string, string> {
  const others = new Map<string, string>();
  const alikes = Map.groupBy(contexts, (each) =>
    [keyOf(each), each.made.value.disableCompression, ...(shares ? [] : [each.origin.name])].join('\n'),
  );
  for (const alike of alikes.values()) {
    // One for each cluster that an earlier import made of them; else the shortest name.
    const owned = Map.groupBy(alike, (each) => ownCluster(each, config, before));
    const shortest = alike.toSorted((one, other) => one.context.length - other.context.length);
    const firsts = new Map(
      [...owned].map(([cluster, of]) => [
        cluster,
        of.find(({ origin }) => cleanName(origin.name, 'cluster') === cluster) ?? of[0],
      ]),
    );
    firsts.delete(null);
    const [first = shortest[0]] = firsts.values();
    for (const [cluster, of] of owned) {
      const at = firsts.get(cluster) ?? first;
      for (const each of of) {
        if (at && each !== at) {
          others.set(each.context, at.context);
        }
      }
    }
  }
  return others;
}

/** The cluster that an earlier import made of the context, or the same one under its name; null: none. */
function ownCluster(
  each: ClusterToName,
  { clusters }: Pick<LoadedConfig, 'clusters'>,
  before: ImportedBefore,
): string | null {
  const earlier = before.cluster(each.origin.file, each.origin.name);
  if (earlier !== null && clusters.has(earlier)) {
    return earlier;
  }
  const named = clusters.get(each.origin.name);
  const isSame =
    named && placesOfLoaded(named).some((place) => `${named.config.account}\n${place}` === keyOf(each));
  return isSame ? named.name : null;
}

/**
 * Each context is a cluster. An existing one under the context's name (with a number or without), or under a name that
 * the user chose at an earlier import, is used, whatever the user added to it since. One whose address changed since an
 * earlier import of the context replaces what that import made. Names that the user chose are assigned first, then
 * those that need no cleaning.
 */
function nameEach(
  contexts: readonly ClusterToName[],
  config: Pick<LoadedConfig, 'clusters'>,
  before: ImportedBefore,
  {
    chosen,
    moves,
  }: { chosen: ClusterNaming['chosen']; moves(cluster: string, each: ClusterToName): boolean },
): Map<string, NamedCluster> {
  const keys = new Map<string, readonly string[]>();
  const known = new Map<string, string[]>();
  for (const cluster of config.clusters.values()) {
    const own = placesOfLoaded(cluster).map((each) => `${cluster.config.account}\n${each}`);
    keys.set(cluster.name, own);
    for (const base of new Set([cluster.name, cluster.name.replace(/-\d+$/, '')])) {
      for (const place of own.map((key) => `${base}\n${key}`)) {
        const there = known.get(place);
        there ? there.push(cluster.name) : known.set(place, [cluster.name]);
      }
    }
  }
  const named = new Map<string, NamedCluster>();
  const claimed = new Set<string>();
  const claim = (context: string, cluster: string) => {
    claimed.add(cluster);
    named.set(context, { cluster, exists: true, replaces: null, sharedWith: null });
  };
  const keyed = contexts.map((each) => ({
    ...each,
    key: keyOf(each),
    wanted: chosen.get(each.context) ?? cleanName(each.origin.name, 'cluster'),
  }));
  for (const { context, origin, key } of keyed) {
    if (!claimed.has(origin.name) && keys.get(origin.name)?.includes(key)) {
      claim(context, origin.name);
    }
  }
  // The user may have chosen its name: what it was made of is then known by an import that is done, or by the context's
  // name that is kept in the entry. Never another cluster than the same: nothing is replaced for that.
  const displayed = new Map<string, string>();
  for (const [name, own] of keys) {
    const shown = config.clusters.get(name)?.config.displayName;
    for (const key of shown === undefined ? [] : own) {
      displayed.set(`${shown}\n${key}`, name);
    }
  }
  for (const { context, origin, key } of keyed.filter((each) => !named.has(each.context))) {
    const same = [
      before.cluster(origin.file, origin.name),
      displayed.get(`${lostName(origin.name)}\n${key}`),
    ].find((name) => name != null && !claimed.has(name) && keys.get(name)?.includes(key));
    if (same != null) {
      claim(context, same);
    }
  }
  const rest = keyed.filter(({ context, key, wanted }) => {
    if (named.has(context)) {
      return false;
    }
    // A number is added only where another cluster has the name. Taken names are skipped once, not each time.
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
  const fresh = rest.filter((each) => {
    const { context, origin, made } = each;
    const earlier = config.clusters.get(before.cluster(origin.file, origin.name) ?? '');
    if (
      !earlier ||
      claimed.has(earlier.name) ||
      !moves(earlier.name, each) ||
      placesOfLoaded(earlier).includes(placeOf(made.value, made.authorityKey))
    ) {
      return true;
    }
    claimed.add(earlier.name);
    named.set(context, { cluster: earlier.name, exists: false, replaces: earlier, sharedWith: null });
    return false;
  });
  const names = new FreeNames((name) => config.clusters.has(name));
  const rank = ({ context, origin }: ClusterToName) =>
    chosen.has(context) ? 0 : isGoodName(origin.name) ? 1 : 2;
  const order = fresh.toSorted((one, other) => rank(one) - rank(other));
  for (const { context, wanted } of order) {
    named.set(context, { cluster: names.take(wanted), exists: false, replaces: null, sharedWith: null });
  }
  return named;
}

function keyOf({ made, account }: ClusterToName): string {
  return `${account}\n${placeOf(made.value, made.authorityKey)}`;
}

/** The user may have set what a plugin is told, where no kubeconfig does: without that it is equal too. */
function placesOfLoaded({ config, certificateAuthorityPem }: LoadedCluster): string[] {
  const { execConfig, ...place } = config;
  const authority = authorityKey(certificateAuthorityPem);
  return execConfig === undefined
    ? [placeOf(place, authority)]
    : [placeOf(config, authority), placeOf(place, authority)];
}

/** Its address and trust, whatever the account. */
function placeOf(
  value: Pick<ClusterConfig, 'server' | 'tlsServerName' | 'proxyUrl' | 'execConfig'> & {
    insecureSkipTlsVerify?: boolean;
  },
  authority: string,
): string {
  const { server, tlsServerName, insecureSkipTlsVerify, proxyUrl, execConfig } = value;
  return JSON.stringify([
    comparedUrl(server),
    authority,
    tlsServerName?.toLowerCase() ?? null,
    insecureSkipTlsVerify === true,
    proxyUrl === undefined ? null : comparedUrl(proxyUrl),
    ...(execConfig === undefined ? [] : [sortedJson(execConfig)]),
  ]);
}
