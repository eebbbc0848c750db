/** A ClusterProfile’s object as a hub gives it, with these parts in place of its own. */
export function profileObject(parts: {
  version?: string;
  metadata?: object;
  spec?: object;
  status?: unknown;
}): Record<string, unknown> {
  const { version = 'v1alpha1', metadata, spec, status } = parts;
  return {
    apiVersion: `multicluster.x-k8s.io/${version}`,
    kind: 'ClusterProfile',
    metadata: { name: 'prod', namespace: 'fleet', uid: '6f0d', ...metadata },
    spec: { displayName: 'Prod', clusterManager: { name: 'manager' }, ...spec },
    ...(status !== undefined && { status }),
  };
}

/** With one access provider, `google`, of this cluster. */
export function profileOfCluster(cluster: unknown, version = 'v1alpha1'): Record<string, unknown> {
  return profileObject({ version, status: { accessProviders: [{ name: 'google', cluster }] } });
}

/** An extension of a cluster. */
export function extension(name: string, value: unknown): { name: string; extension: unknown } {
  return { name, extension: value };
}

export const todaysArgs = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args';
export const todaysEnv = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs';
export const seedsArgs = 'multicluster.x-k8s.io/clusterprofiles/auth/exec/additional-args';
export const seedsEnv = 'multicluster.x-k8s.io/clusterprofiles/auth/exec/additional-envs';
export const execExtension = 'client.authentication.k8s.io/exec';
