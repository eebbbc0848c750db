import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { ExecCluster } from '../domain/server/exec-cluster.ts';

/** A configured cluster in the form that exec plugins are told (KEP-541). */
export function toExecCluster({ config, certificateAuthorityPem }: LoadedCluster): ExecCluster {
  return {
    server: config.server,
    tlsServerName: config.tlsServerName ?? null,
    insecureSkipTlsVerify: config.insecureSkipTlsVerify,
    certificateAuthorityPem,
    proxyUrl: config.proxyUrl ?? null,
  };
}
