import { Secret } from '../../../base/secret.ts';
import { noEntries } from '../../testing/no-entries.ts';
import { importedBefore } from '../imported-before.ts';
import type { KubeCluster, KubeContext, KubeExec, KubeUser, MergedKubeconfig } from '../kubeconfig.ts';
import type { ImportOptions } from '../plan-import.ts';

const originOf = (name: string) => ({ file: '/home/me/.kube/config', line: 7, name });

/** A user of a kubeconfig that says nothing but `fields`. */
export function kubeUser(name: string, fields: Partial<KubeUser> = {}): KubeUser {
  return {
    name,
    origin: originOf(name),
    token: null,
    tokenFile: null,
    clientCertificate: null,
    clientKey: null,
    username: null,
    password: null,
    impersonates: false,
    authProvider: null,
    exec: null,
    unknownKeys: [],
    ...fields,
  };
}

export function kubeExec(
  command: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): KubeExec {
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command,
    args: args.map((arg) => new Secret(arg)),
    env: Object.entries(env).map(([variable, value]) => ({ name: variable, value: new Secret(value) })),
    installHint: null,
    provideClusterInfo: false,
    interactiveMode: 'IfAvailable',
  };
}

export function authProvider(name: string, config: Record<string, string> = {}): KubeUser['authProvider'] {
  const secrets = Object.entries(config).map(([key, value]) => [key, new Secret(value)] as const);
  return { name, config: Object.fromEntries(secrets) };
}

export function kubeCluster(name: string, fields: Partial<KubeCluster> = {}): KubeCluster {
  return {
    name,
    origin: originOf(name),
    server: `https://${name}.example.com:6443`,
    tlsServerName: null,
    insecureSkipTlsVerify: false,
    proxyUrl: null,
    certificateAuthority: null,
    disableCompression: false,
    execConfig: null,
    ...fields,
  };
}

export const kubeContext = (name: string, user: string, cluster: string, namespace?: string) => ({
  name,
  user,
  cluster,
  ...(namespace !== undefined && { namespace }),
});

/** A kubeconfig; without contexts each user has one of its name, at the cluster of that name, else the first one. */
export function kubeconfig(
  users: readonly KubeUser[],
  clusters: readonly KubeCluster[] = [kubeCluster('one')],
  contexts:
    | readonly (Pick<KubeContext, 'name' | 'cluster' | 'user'> & { namespace?: string })[]
    | null = null,
): MergedKubeconfig {
  const made =
    contexts ??
    users.map(({ name }) => ({
      name,
      user: name,
      cluster: (clusters.find((cluster) => cluster.name === name) ?? clusters[0])?.name ?? '',
    }));
  return {
    files: [],
    problems: [],
    currentContext: null,
    clusters: new Map(clusters.map((each) => [each.name, each])),
    users: new Map(users.map((each) => [each.name, each])),
    contexts: new Map(
      made.map((each) => [each.name, { origin: originOf(each.name), namespace: null, ...each }]),
    ),
    hidden: [],
  };
}

/** Nothing in config.yaml, all contexts, in 2026. */
export function importOptions(merged: MergedKubeconfig, options: Partial<ImportOptions> = {}): ImportOptions {
  return {
    merged,
    config: noEntries,
    secrets: {},
    sessions: {},
    before: importedBefore({}),
    pending: new Set(),
    authorityFiles: new Map(),
    homeDirectory: '/home/me',
    now: Date.UTC(2026, 0, 1),
    contexts: null,
    inPlace: false,
    searchPath: '/usr/bin:/bin',
    programOf: () => null,
    ...options,
  };
}
