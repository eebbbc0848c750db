import type { LoadedCluster } from '../loaded-config.ts';

/** Where the request proxy listens, and the CA of its certificate (PEM). */
export interface ProxyPlace {
  port: number;
  certificate: string;
}

const views = new WeakMap<LoadedCluster, { place: ProxyPlace; view: LoadedCluster }>();

/**
 * A cluster as clients reach it: one behind the request proxy at its loopback address and with its CA (docs/adr/0030),
 * any other as it is. The same object for the same cluster and place.
 */
export function asClientsSee(cluster: LoadedCluster, place: ProxyPlace): LoadedCluster {
  if (cluster.config.proxy === undefined) {
    return cluster;
  }
  const known = views.get(cluster);
  if (known?.place.port === place.port && known.place.certificate === place.certificate) {
    return known.view;
  }
  const { proxyUrl: _, tlsServerName: __, ...config } = cluster.config;
  const view: LoadedCluster = {
    ...cluster,
    config: { ...config, server: proxiedServer(cluster.name, place.port), insecureSkipTlsVerify: false },
    certificateAuthorityPem: place.certificate,
  };
  views.set(cluster, { place, view });
  return view;
}

/** The path gives each cluster its own discovery cache in kubectl; the credential is what names the cluster. */
function proxiedServer(cluster: string, port: number): string {
  return `https://127.0.0.1:${port}/c/${encodeURIComponent(cluster)}`;
}
