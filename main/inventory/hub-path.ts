/** The group's versions, newest first: a hub may serve either, and change with an upgrade. */
export const profileVersions = ['v1alpha2', 'v1alpha1'] as const;

export type ProfileVersion = (typeof profileVersions)[number];

/** What of a hub is listed and watched. */
export interface HubScope {
  /** Null: all namespaces. */
  namespace: string | null;
  /** As the Kubernetes API takes it; null: all. */
  labelSelector: string | null;
}

/** The path of a hub's ClusterProfiles, with a query. */
export function profilesPath(
  version: ProfileVersion,
  { namespace, labelSelector }: HubScope,
  query: Readonly<Record<string, string>>,
): string {
  const inNamespace = namespace === null ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const parameters = new URLSearchParams({ ...query, ...(labelSelector !== null && { labelSelector }) });
  return `/apis/multicluster.x-k8s.io/${version}${inNamespace}/clusterprofiles?${parameters}`;
}
