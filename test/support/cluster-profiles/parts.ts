export const version = 'client.authentication.k8s.io/v1beta1';
export const server = 'https://api.example.com';

export const execExtension = 'client.authentication.k8s.io/exec';
export const args = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args';
export const env = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs';
export const oldArgs = 'multicluster.x-k8s.io/clusterprofiles/auth/exec/additional-args';
export const oldEnv = 'multicluster.x-k8s.io/clusterprofiles/auth/exec/additional-envs';

/** A certificate; its key is nowhere. */
export const pem = `-----BEGIN CERTIFICATE-----
MIIBfDCCASGgAwIBAgIURxX6pwIg2hbpzcQSrgEaqZWAeGQwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHY2x1c3RlcjAgFw0yNjExMjMxMjQ3MDFaGA8yMTI2MTAzMDEy
NDcwMVowEjEQMA4GA1UEAwwHY2x1c3RlcjBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABMRUp3OwfL9SC7mWrksUbcJK0gvj4+621ZrRs0TsN/89S6Up+4Z6c2vOvbNL
bAjP6k/fZwXdecHzdoxBPhAUFAyjUzBRMB0GA1UdDgQWBBQv9+vmB1hSAYmkclh1
2jPZ1YoY5zAfBgNVHSMEGDAWgBQv9+vmB1hSAYmkclh12jPZ1YoY5zAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQC9y5QCjMXRWF6ta9eo2hu8gmZC
PSStdhnBhRvoSX2aMwIhALhaZUZNazhajQ/TQlGIRlOWH6w+EuBTGhMLIxE7KrGu
-----END CERTIFICATE-----
`;

export function provider(name: string, exec: object | null = {}, more: object = {}): object {
  const execConfig = exec && { apiVersion: version, command: `command-of-${name}`, args: ['own'], ...exec };
  return { name, execConfig, ...more };
}

export function file(...providers: readonly unknown[]): string {
  return JSON.stringify({ providers });
}

export function profile(status: unknown, more: object = {}): object {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { name: 'prod', namespace: 'fleet' },
    spec: { clusterManager: { name: 'manager' } },
    ...(status !== undefined && { status }),
    ...more,
  };
}

/** It lists these, each with a server of its own. */
export function listing(...names: readonly string[]): object {
  return profile({
    accessProviders: names.map((name) => ({ name, cluster: { server: `https://${name}.example.com` } })),
  });
}

/** It lists `google` with this cluster. */
export function clustered(cluster: unknown): object {
  return profile({ accessProviders: [{ name: 'google', cluster }] });
}

export function extended(...extensions: readonly (readonly [name: string, value: unknown])[]): object {
  return clustered({ server, extensions: extensions.map(([name, extension]) => ({ name, extension })) });
}
