import type { LoadedCluster, ProfileOrigin } from '../loaded-config.ts';
import type { DestinationMatcher } from '../server/destination.ts';
import type { RequestedCluster } from '../server/exec-credential.ts';
import { normalizeServerUrl } from '../server/server-url.ts';
import { sortedJson } from '../text/sorted-json.ts';
import { parseServerRewrites, rewrittenServer, type ServerRewriteConfig } from './server-rewrite.ts';

/** The profile that a controller asks for, as far as it can say. */
export interface WantedProfile {
  /** The access provider whose plugin the controller ran. */
  provider: string;
  /** `NAMESPACE/NAME`, or `INVENTORY:NAMESPACE/NAME`; null: any. */
  profile: string | null;
  /** spec.cluster, which holds no profile’s name. */
  requested: RequestedCluster;
}

export interface ProfilesAt {
  /** Those that are reached as the controller says. */
  matches: LoadedCluster[];
  /** Where none is: one at the same server, and in what it differs, for the user. */
  nearest: { cluster: LoadedCluster; differences: string[] } | null;
}

export interface ProfilesAtDeps {
  destination: Pick<DestinationMatcher, 'match'>;
  /** Of an approved inventory. */
  serverRewrites(inventory: string): readonly ServerRewriteConfig[];
}

/**
 * The profiles in use that a controller may mean: of its provider, with the server and its path, the CA, the proxy and
 * the config that it tells. Its server may be one that the inventory rewrites: the profile states that, and the controller
 * connects there. The community library (sigs.k8s.io/cluster-inventory-api v0.1.3, pkg/access) drops
 * tls-server-name, insecure-skip-tls-verify and disable-compression: these count only where they are set
 * (rule: known-server).
 */
export function profilesAt(
  { provider, profile, requested }: WantedProfile,
  clusters: Iterable<LoadedCluster>,
  { destination, serverRewrites }: ProfilesAtDeps,
): ProfilesAt {
  const server = normalizeServerUrl(requested.server);
  const rewritten = new Map<string, string | null>();
  const rewrittenBy = (inventory: string, url: string) => {
    const known = rewritten.get(inventory);
    const now =
      known === undefined ? rewrittenServer(url, parseServerRewrites(serverRewrites(inventory))) : known;
    rewritten.set(inventory, now);
    return now;
  };
  const found: ProfilesAt = { matches: [], nearest: null };
  for (const cluster of clusters) {
    const { origin } = cluster;
    if (!server.ok || !origin || !isOf(origin, provider, profile)) {
      continue;
    }
    // A profile’s server is in the normal form already (resolve-profile.ts).
    const place = cluster.config.server;
    if (place !== server.url && place !== rewrittenBy(origin.inventory, server.url)) {
      continue;
    }
    const differences = differencesTo(cluster, { ...requested, server: place }, destination);
    if (differences.length === 0) {
      found.matches.push(cluster);
    } else {
      found.nearest ??= { cluster, differences };
    }
  }
  return found;
}

function isOf(origin: ProfileOrigin, provider: string, profile: string | null): boolean {
  if (origin.provider !== provider) {
    return false;
  }
  const name = `${origin.namespace}/${origin.name}`;
  return profile === null || profile === name || profile === `${origin.inventory}:${name}`;
}

function differencesTo(
  known: LoadedCluster,
  requested: RequestedCluster,
  destination: Pick<DestinationMatcher, 'match'>,
): string[] {
  const { config } = known;
  const match = destination.match(
    {
      ...requested,
      tlsServerName: requested.tlsServerName || (config.tlsServerName ?? null),
      insecureSkipTlsVerify: requested.insecureSkipTlsVerify || config.insecureSkipTlsVerify,
    },
    known,
  );
  return [
    ...(match.ok ? [] : match.differences),
    ...(requested.disableCompression && !config.disableCompression
      ? ['disable-compression is true, known is false']
      : []),
    ...(sortedJson(requested.config ?? null) === sortedJson(config.execConfig ?? null)
      ? []
      : ['the config (client.authentication.k8s.io/exec) is another']),
  ];
}
