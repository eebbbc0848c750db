import type { InventoryConfig } from '../../contract/config/inventory.ts';

/** Names a ClusterProfile: its name counts only within its namespace, and that only within one inventory. */
export interface ProfileName {
  /** The inventory’s name in config.yaml. */
  inventory: string;
  namespace: string;
  name: string;
}

/**
 * A ClusterProfile as read from a hub or a file (KEP-4322, v1alpha1 and v1alpha2), with what Lanyard uses of it.
 * Remote input: every text is bounded, and free of control and direction characters.
 */
export interface Profile extends ProfileName {
  /** What the hub gave it at its creation: a profile made again has another. Null: from a file without one. */
  uid: string | null;
  /** For display only, never an identity. */
  displayName: string | null;
  /** spec.clusterManager.name */
  manager: string | null;
  /** status.version.kubernetes */
  version: string | null;
  clusterset: string | null;
  location: string | null;
  /** Label `multicluster.x-k8s.io/inventory-member-id`: a hint that two profiles are of one cluster. */
  memberId: string | null;
  labels: ReadonlyMap<string, string>;
  conditions: readonly ProfileCondition[];
  /** False: its cluster manager has not written a status yet. */
  hasStatus: boolean;
  /** In the profile’s order; of two with one name the first. Those of `accessProviders` come first. */
  providers: readonly ProfileProvider[];
  /** What of it could not be read, a sentence each, for display. */
  problems: readonly string[];
}

/** status.conditions */
export interface ProfileCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
}

/** An entry of status.accessProviders (v1alpha1 of old: status.credentialProviders). */
export interface ProfileProvider {
  name: string;
  /** As stated, unchecked. Null: none. */
  server: string | null;
  tlsServerName: string | null;
  insecureSkipTlsVerify: boolean;
  /** `certificate-authority-data`, decoded; null: none. A path (`certificate-authority`) is never read. */
  certificateAuthorityPem: string | null;
  proxyUrl: string | null;
  disableCompression: boolean;
  /** Extension client.authentication.k8s.io/exec: becomes spec.cluster.config unchanged. Undefined: none. */
  execConfig: unknown;
  /** Extension …/exec/additional-args; null: none, or `argsFault`. */
  args: readonly string[] | null;
  /** Why they can’t be read. It counts only where a policy lets arguments through, as in the community library. */
  argsFault: string | null;
  /** Extension …/exec/additional-envs, by name in stable order; null: none, or `envFault`. */
  env: ReadonlyMap<string, string> | null;
  /** As `argsFault`. */
  envFault: string | null;
  /** Why the provider can’t be used; null: it can. */
  fault: string | null;
}

/** An inventory of config.yaml, with its name. */
export interface NamedInventory {
  name: string;
  config: InventoryConfig;
}
