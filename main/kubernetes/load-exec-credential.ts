import { BrokerError } from '../contract/broker-error.ts';
import type { ExecCluster } from '../domain/server/exec-cluster.ts';
import { type ExecRequest, parseExecInfo } from '../domain/server/exec-credential.ts';

/** How to reach an API server: what `node:https` and a proxy agent take. Anonymous: it holds no credential. */
export interface ClusterConnection {
  /** Address of the API server. */
  baseUrl: URL;
  tls: {
    /** PEM; undefined: the system's CAs. */
    ca: string | undefined;
    /** For SNI and for the check of the certificate; undefined: the host. */
    servername: string | undefined;
    rejectUnauthorized: boolean;
  };
  proxyUrl: URL | null;
}

/**
 * A connection from `spec.cluster` alone (KEP-541/load-exec-credential). Throws BrokerError where an address is none.
 */
export function toClusterConnection(cluster: ExecCluster): ClusterConnection {
  return {
    baseUrl: parseUrl(cluster.server, 'server'),
    tls: {
      ca: cluster.certificateAuthorityPem ?? undefined,
      servername: cluster.tlsServerName ?? undefined,
      rejectUnauthorized: !cluster.insecureSkipTlsVerify,
    },
    proxyUrl: cluster.proxyUrl === null ? null : parseUrl(cluster.proxyUrl, 'proxy-url'),
  };
}

/** The way back: the cluster that a connection reaches. */
export function fromClusterConnection(connection: ClusterConnection): ExecCluster {
  return {
    server: connection.baseUrl.href.replace(/\/$/, ''),
    tlsServerName: connection.tls.servername ?? null,
    insecureSkipTlsVerify: !connection.tls.rejectUnauthorized,
    certificateAuthorityPem: connection.tls.ca ?? null,
    proxyUrl: connection.proxyUrl?.href.replace(/\/$/, '') ?? null,
  };
}

/**
 * KEP-541's LoadExecCredentialFromEnv: what the client asked, and how its cluster is reached; `connection` is
 * null where the client told no cluster. Throws BrokerError `kube.execInfo.unset` where the variable isn't set
 * or empty, and the parser's error where it holds no known version.
 */
export function loadExecCredential(env: Readonly<Record<string, string | undefined>>): {
  request: ExecRequest;
  connection: ClusterConnection | null;
} {
  const text = env.KUBERNETES_EXEC_INFO;
  if (!text) {
    throw new BrokerError('kube.execInfo.unset', 'KUBERNETES_EXEC_INFO is not set', { reason: 'usage' });
  }
  const parsed = parseExecInfo(Buffer.from(text, 'utf8'));
  if (!parsed.ok) {
    throw new BrokerError(parsed.code, parsed.message, { reason: parsed.reason });
  }
  const { cluster } = parsed.request;
  return { request: parsed.request, connection: cluster && toClusterConnection(cluster) };
}

function parseUrl(text: string, field: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    throw new BrokerError('kube.cluster.url', `the cluster's ${field} is not a URL`, {
      reason: 'usage',
      cause,
    });
  }
}
