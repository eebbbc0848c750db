/**
 * A Kubernetes API server as a client describes it: the fields of `spec.cluster` (KEP-541), which are those of a
 * kubeconfig's Cluster, with the CA as text.
 */
export interface ExecCluster {
  server: string;
  /** Checked in the server's certificate instead of the host; null: the host. */
  tlsServerName: string | null;
  insecureSkipTlsVerify: boolean;
  /** PEM; null: the system's CAs. */
  certificateAuthorityPem: string | null;
  proxyUrl: string | null;
}
