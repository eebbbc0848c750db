import type { ExecPluginConfig } from '../../../contract/config/accounts/exec-plugin.ts';
import type { LoadedCluster } from '../../../domain/loaded-config.ts';
import { toExecClusterInfo } from '../../../domain/server/exec-credential.ts';

/** The variable that tells a plugin what is asked of it (KEP-541). */
export const execInfoVariable = 'KUBERNETES_EXEC_INFO';

/**
 * The value of KUBERNETES_EXEC_INFO. `cluster`: told where the plugin wants it, and only by versions that know it;
 * v1alpha1 knows neither that nor `interactive`. `lockFile`: the client's (KEP-2718/lock); null: none is told.
 */
export function execInfoText(
  config: Pick<ExecPluginConfig, 'apiVersion' | 'provideClusterInfo'>,
  cluster: LoadedCluster | null,
  interactive: boolean,
  lockFile: string | null,
): string {
  const spec = config.apiVersion.endsWith('/v1alpha1')
    ? {}
    : {
        ...(config.provideClusterInfo && cluster && { cluster: clusterInfo(cluster) }),
        interactive,
        ...(lockFile !== null && { lockFilePath: lockFile }),
      };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion: config.apiVersion, spec });
}

function clusterInfo({ config, certificateAuthorityPem }: LoadedCluster): Record<string, unknown> {
  const info = toExecClusterInfo({
    server: config.server,
    tlsServerName: config.tlsServerName ?? null,
    insecureSkipTlsVerify: config.insecureSkipTlsVerify,
    certificateAuthorityPem,
    proxyUrl: config.proxyUrl ?? null,
  });
  return {
    ...info,
    ...(config.disableCompression && { 'disable-compression': true }),
    ...(config.execConfig !== undefined && { config: config.execConfig }),
  };
}
