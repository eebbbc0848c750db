import { fingerprintOfPem } from '../credential/certificate-set.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { comparedUrl } from '../server/server-url.ts';

interface Reached {
  server: string;
  /** How it is reached, and whom it has to be, as one text. */
  way: string;
}

// A CA’s fingerprint takes time, and thousands of clusters are compared at each change of one.
const known = new WeakMap<LoadedCluster, Reached>();

/**
 * The servers of clusters, and how each is reached. Who writes a profile must not lead the requests of a cluster that
 * is known already elsewhere.
 */
export class KnownServers {
  readonly #ways = new Map<string, { way: string; cluster: LoadedCluster }>();

  constructor(clusters: Iterable<LoadedCluster>) {
    for (const cluster of clusters) {
      this.add(cluster);
    }
  }

  /** Of two clusters with one server the first counts. */
  add(cluster: LoadedCluster): void {
    const { server, way } = reachedBy(cluster);
    if (!this.#ways.has(server)) {
      this.#ways.set(server, { way, cluster });
    }
  }

  /** The known cluster with the same server, but another CA, TLS name or proxy; null: there is none. */
  conflictOf(cluster: LoadedCluster): LoadedCluster | null {
    const { server, way } = reachedBy(cluster);
    const found = this.#ways.get(server);
    return found === undefined || found.way === way ? null : found.cluster;
  }
}

/** A cluster’s server, in the one spelling that is compared. */
export function serverOf(cluster: LoadedCluster): string {
  return reachedBy(cluster).server;
}

function reachedBy(cluster: LoadedCluster): Reached {
  const reached = known.get(cluster) ?? { server: comparedUrl(cluster.config.server), way: wayOf(cluster) };
  known.set(cluster, reached);
  return reached;
}

function wayOf({ config, certificateAuthorityPem: pem }: LoadedCluster): string {
  const { tlsServerName = null, insecureSkipTlsVerify, proxyUrl = null } = config;
  return JSON.stringify([
    pem === null ? null : (fingerprintOfPem(pem) ?? pem),
    tlsServerName?.toLowerCase() ?? null,
    insecureSkipTlsVerify,
    proxyUrl === null ? null : comparedUrl(proxyUrl),
  ]);
}
