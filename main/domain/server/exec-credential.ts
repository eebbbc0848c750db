import { z } from 'zod';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { ExecCluster } from './exec-cluster.ts';

const group = 'client.authentication.k8s.io';

/** Versions that clients send (KEP-541; v1alpha1 until kubectl 1.23). */
export const execApiVersions = [`${group}/v1`, `${group}/v1beta1`, `${group}/v1alpha1`] as const;
export type ExecApiVersion = (typeof execApiVersions)[number];

const clientGoStart = Buffer.from(`{"kind":"ExecCredential","apiVersion":"${group}/`);

/** The version of the answer where a client sends no KUBERNETES_EXEC_INFO. */
const withoutInfoVersion: ExecApiVersion = `${group}/v1beta1`;

/** More than any system's limit for an environment variable. */
const execInfoLimitBytes = 1024 * 1024;

/** Go writes null for what is unset in some versions: it counts as absent. */
function absentOr<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

/** The fields of a kubeconfig's Cluster, with the CA as data. Unknown ones are ignored: newer clients may add some. */
const execClusterInfo = z.object({
  server: z.string().min(1),
  'tls-server-name': absentOr(z.string()),
  'insecure-skip-tls-verify': absentOr(z.boolean()),
  'certificate-authority-data': absentOr(z.base64()),
  'proxy-url': absentOr(z.string()),
  'disable-compression': absentOr(z.boolean()),
  config: z.unknown().optional(),
});

const execInfo = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  spec: absentOr(
    z.object({
      interactive: absentOr(z.boolean()),
      lockFilePath: absentOr(z.string()),
      cluster: absentOr(execClusterInfo),
    }),
  ),
});

/** The cluster of a request, with fields that don't concern the connection. */
export interface RequestedCluster extends ExecCluster {
  disableCompression: boolean;
  /**
   * The extension `client.authentication.k8s.io/exec` of the kubeconfig's cluster, unchanged
   * (KEP-541/cluster-config).
   */
  config: unknown;
}

/** A client's request (`KUBERNETES_EXEC_INFO`). */
export interface ExecRequest {
  apiVersion: ExecApiVersion;
  /** The client passed on standard input: the user may be there to answer. */
  interactive: boolean;
  /** Null: the client names no cluster (`provideClusterInfo: false`, v1alpha1, no variable at all). */
  cluster: RequestedCluster | null;
  /** The client holds this file’s lock as long as it lives (KEP-2718/lock); null: it knows nothing of that. */
  lockFilePath: string | null;
}

/**
 * client-go wrote it: `kind` comes first, and Go's encoder ends with a line break. Other clients, in Python, Rust or
 * JavaScript, may ask again at any time; client-go does so before the stated expiry only after a 401.
 */
export function isFromClientGo(bytes: Buffer | null): boolean {
  const isStart = bytes?.subarray(0, clientGoStart.length).equals(clientGoStart) ?? false;
  return isStart && bytes?.at(-1) === '\n'.charCodeAt(0);
}

/** Parses KUBERNETES_EXEC_INFO; null or empty counts as an old client's v1beta1 without a cluster. */
export function parseExecInfo(bytes: Buffer | null): { ok: true; request: ExecRequest } | Refusal {
  if (bytes === null || bytes.length === 0) {
    return {
      ok: true,
      request: { apiVersion: withoutInfoVersion, interactive: false, cluster: null, lockFilePath: null },
    };
  }
  if (bytes.length > execInfoLimitBytes) {
    return broken('is larger than 1 MiB');
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return broken('is not JSON');
  }
  const parsed = execInfo.safeParse(value);
  if (!parsed.success) {
    return broken(`is not an ExecCredential: ${describeIssue(parsed.error)}`);
  }
  const { apiVersion, kind, spec } = parsed.data;
  if (kind !== 'ExecCredential') {
    return broken(`holds a ${shown(kind)}, not an ExecCredential`);
  }
  const known = execApiVersions.find((version) => version === apiVersion);
  if (!known) {
    return refuse(
      'usage',
      'kube.execInfo.version',
      `KUBERNETES_EXEC_INFO has the API version ${shown(apiVersion)}`,
      `supported are ${execApiVersions.join(', ')}: set one of them as the user's exec.apiVersion in the kubeconfig`,
    );
  }
  const cluster = spec?.cluster;
  return {
    ok: true,
    request: {
      apiVersion: known,
      interactive: spec?.interactive ?? false,
      cluster: cluster ? toRequestedCluster(cluster) : null,
      lockFilePath: spec?.lockFilePath || null,
    },
  };
}

function toRequestedCluster(info: z.infer<typeof execClusterInfo>): RequestedCluster {
  const ca = info['certificate-authority-data'];
  return {
    server: info.server,
    tlsServerName: info['tls-server-name'] || null,
    insecureSkipTlsVerify: info['insecure-skip-tls-verify'] ?? false,
    certificateAuthorityPem: ca ? Buffer.from(ca, 'base64').toString('utf8') : null,
    proxyUrl: info['proxy-url'] || null,
    disableCompression: info['disable-compression'] ?? false,
    config: info.config,
  };
}

/** The reverse: `spec.cluster` as a client would send it, which is also a kubeconfig's Cluster entry. */
export function toExecClusterInfo(cluster: ExecCluster): Record<string, unknown> {
  return {
    server: cluster.server,
    ...(cluster.tlsServerName !== null && { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.insecureSkipTlsVerify && { 'insecure-skip-tls-verify': true }),
    ...(cluster.certificateAuthorityPem !== null && {
      'certificate-authority-data': base64(cluster.certificateAuthorityPem),
    }),
    ...(cluster.proxyUrl !== null && { 'proxy-url': cluster.proxyUrl }),
  };
}

/** Where a client sends its requests (KEP-2718/proxy-config). */
export interface ToldProxy {
  /** `unix:///PATH`, or `https://` with a loopback address and a port. */
  url: string;
  certificateAuthorityPem: string;
}

/** The content of a reply's status: PEM text, the token, and the expiry of both. */
export interface ExecStatus {
  token: string | null;
  clientCertificateData: string | null;
  clientKeyData: string | null;
  /** Milliseconds since 1970; null: it never expires, and the client keeps it as long as it runs. */
  expiresAt: number | null;
  /** Absent: to the cluster itself. */
  proxyConfig?: ToldProxy | undefined;
}

/** The reply for stdout: the API version is exactly the request's. */
export function formatExecCredential(apiVersion: ExecApiVersion, status: ExecStatus): string {
  const { proxyConfig } = status;
  const reply = {
    apiVersion,
    kind: 'ExecCredential',
    status: {
      ...(status.expiresAt !== null && { expirationTimestamp: rfc3339Seconds(status.expiresAt) }),
      ...(status.token !== null && { token: status.token }),
      ...(status.clientCertificateData !== null && { clientCertificateData: status.clientCertificateData }),
      ...(status.clientKeyData !== null && { clientKeyData: status.clientKeyData }),
      ...(proxyConfig && {
        proxyConfig: {
          url: proxyConfig.url,
          'certificate-authority-data': base64(proxyConfig.certificateAuthorityPem),
        },
      }),
    },
  };
  return `${JSON.stringify(reply)}\n`;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** RFC 3339 in seconds, rounded down: Go's metav1.Time has no fractions. */
function rfc3339Seconds(milliseconds: number): string {
  return `${new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

function broken(what: string): Refusal {
  return refuse(
    'usage',
    'kube.execInfo.broken',
    `KUBERNETES_EXEC_INFO ${what}`,
    'it is set by kubectl and other clients; by hand, leave it out',
  );
}

function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue ? `${issue.path.join('.') || 'the whole'}: ${issue.message.toLowerCase()}` : 'unknown';
}

/** Untrusted text in a message: quoted, cut, without control characters. */
function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
