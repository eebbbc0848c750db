import type { LoadedCluster } from '../domain/loaded-config.ts';

/** Linux: MAX_ARG_STRLEN, the terminating NUL counted (execve(2)). Other systems allow more per variable. */
const linuxLimit = 128 * 1024;
/** Windows: characters of the complete variable. */
const windowsLimit = 32_767;

/**
 * Bytes of `KUBERNETES_EXEC_INFO=…` with its NUL, as client-go writes it for this cluster (client-go,
 * plugin/pkg/client/auth/exec), in the longer of its forms.
 */
export function execInfoBytes(cluster: LoadedCluster, apiVersion: string): number {
  const { config, certificateAuthorityPem, name } = cluster;
  const info = {
    kind: 'ExecCredential',
    apiVersion: `client.authentication.k8s.io/${apiVersion}`,
    spec: {
      cluster: {
        server: config.server,
        'tls-server-name': config.tlsServerName,
        'insecure-skip-tls-verify': config.insecureSkipTlsVerify || undefined,
        'certificate-authority-data': certificateAuthorityPem
          ? Buffer.from(certificateAuthorityPem).toString('base64')
          : undefined,
        'proxy-url': config.proxyUrl,
        'disable-compression': config.disableCompression || undefined,
        config: { lanyard: { cluster: name } },
      },
      interactive: false,
    },
  };
  // Go's encoder writes these as \u003c and the like, and ends with a line feed.
  const json = `${JSON.stringify(info).replace(/[<>&\u2028\u2029]/g, '\\u0000')}\n`;
  return Buffer.byteLength(`KUBERNETES_EXEC_INFO=${json}`) + 1;
}

/** Whether the client can start a helper with this cluster's complete KUBERNETES_EXEC_INFO. */
export function execInfoFits(cluster: LoadedCluster, apiVersion: string, platform: string): boolean {
  return execInfoBytes(cluster, apiVersion) <= (platform === 'win32' ? windowsLimit : linuxLimit);
}
