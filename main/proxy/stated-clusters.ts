import { rootCertificates } from 'node:tls';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { clusterTarget } from '../domain/target/cluster-target.ts';
import type { ProxyEnvironment } from '../platform/network/choose-proxy.ts';
import { trustedAuthorities } from '../platform/network/trusted-authorities.ts';
import type { Credential } from '../ports/account.ts';
import type { Directory } from '../ports/broker-core.ts';
import type { Order } from './data-plane.ts';
import type { ProxyKeys } from './proxy-keys.ts';
import { epochOf } from './rules/epoch.ts';
import { type StatedCluster, statedCluster } from './stated-cluster.ts';

export interface StatedClustersDeps {
  directory: Pick<Directory, 'cluster' | 'clusters'>;
  keys: Pick<ProxyKeys, 'epoch'>;
  environment: ProxyEnvironment;
}

type Certificate = Credential['certificate'];

/** What one cluster was stated of. */
interface Kept {
  epoch: string;
  certificate: Certificate;
  stated: ReturnType<typeof statedCluster>;
}

/** The clusters that the data plane is told of: those that someone has a way into. */
export class StatedClusters {
  readonly #deps: StatedClustersDeps;
  /** By cluster, with the shape that it was obtained for: another server must not get it. */
  readonly #certificates = new Map<string, { shape: string; certificate: NonNullable<Certificate> }>();
  /** Stating a cluster reads and hashes its certificates. */
  readonly #kept = new WeakMap<LoadedCluster, Kept>();
  /** What the data plane was told last. */
  #told = '';
  /** It has the system’s CAs: reading them takes tens of milliseconds, so only where a cluster needs them. */
  #hasRoots = false;

  constructor(deps: StatedClustersDeps) {
    this.#deps = deps;
  }

  /** The data plane is another one: it knows nothing. */
  startAnew(): void {
    this.#told = '';
    this.#hasRoots = false;
  }

  /** What it has to be told, and why clusters can’t be served; null: nothing has changed. */
  changes(): { orders: Order[]; faults: ReadonlyMap<string, string> } | null {
    const all = this.#served();
    const text = JSON.stringify(
      all.map(({ name, stated }) => [
        name,
        stated.ok ? [stated.cluster.epoch, stated.cluster.version] : stated,
      ]),
    );
    if (text === this.#told) {
      return null;
    }
    this.#told = text;
    const clusters = all.flatMap(({ stated }) => (stated.ok ? [stated.cluster] : []));
    const orders: Order[] = [{ do: 'clusters', clusters }];
    if (!this.#hasRoots && clusters.some(needsRoots)) {
      this.#hasRoots = true;
      orders.unshift({ do: 'roots', roots: (trustedAuthorities() ?? [...rootCertificates]).join('\n') });
    }
    const faults = all.flatMap(({ name, stated }) => (stated.ok ? [] : ([[name, stated.message]] as const)));
    return { orders, faults: new Map(faults) };
  }

  /** The certificate with which the cluster is connected to from now on; null: none. True: that is another. */
  useCertificate(cluster: LoadedCluster, certificate: Certificate): boolean {
    const { name } = cluster;
    const shape = clusterTarget(cluster).shape;
    const known = this.#certificates.get(name);
    if (known?.certificate.chainPem === certificate?.chainPem && (!known || known.shape === shape)) {
      return false;
    }
    if (certificate === null) {
      this.#certificates.delete(name);
    } else {
      this.#certificates.set(name, { shape, certificate });
    }
    return true;
  }

  /** Lanyard is locked. */
  forgetCertificates(): void {
    this.#certificates.clear();
  }

  #served(): { name: string; stated: Kept['stated'] }[] {
    const { directory, keys } = this.#deps;
    return directory.clusters().flatMap(({ name, config }) => {
      const random = config.proxy === undefined ? null : keys.epoch(name);
      const found = random === null ? null : directory.cluster(name);
      return random === null || !found?.ok ? [] : [{ name, stated: this.#state(found.cluster, random) }];
    });
  }

  #state(cluster: LoadedCluster, random: string): Kept['stated'] {
    const { shape } = clusterTarget(cluster);
    const epoch = epochOf(random, shape);
    const certificate = this.#certificateFor(cluster.name, shape);
    const known = this.#kept.get(cluster);
    if (known?.epoch === epoch && known.certificate === certificate) {
      return known.stated;
    }
    const stated = statedCluster(cluster, epoch, certificate, this.#deps.environment);
    this.#kept.set(cluster, { epoch, certificate, stated });
    return stated;
  }

  /** Null: there is none for the cluster as it is approved now. */
  #certificateFor(name: string, shape: string): Certificate {
    const known = this.#certificates.get(name);
    if (known && known.shape !== shape) {
      this.#certificates.delete(name);
      return null;
    }
    return known?.certificate ?? null;
  }
}

/** It is reached with the system’s CAs, or through a proxy that is. */
function needsRoots({ upstream }: StatedCluster): boolean {
  return upstream.certificateAuthority === null || (upstream.proxy?.url.startsWith('https:') ?? false);
}
