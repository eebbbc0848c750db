import type { LoadedCluster } from '../domain/loaded-config.ts';
import { execInfoFits } from './exec-info-size.ts';
import { type HelperExecOptions, helperExec } from './helper-exec.ts';
import {
  execExtension,
  type NamedEntry,
  type PreviousKubeconfig,
  readPreviousKubeconfig,
  userPrefix,
} from './previous-kubeconfig.ts';
import { printYaml } from './print-yaml.ts';

/** What an import says of contexts; where the file as it was says it, that counts more. */
export interface FirstContexts {
  /** By cluster. */
  namespaces: ReadonlyMap<string, string>;
  /** Null: none, so that the one in the user's own file stays current. */
  current: string | null;
}

export interface ManagedKubeconfigOptions
  extends Pick<HelperExecOptions, 'helperPath' | 'home' | 'apiVersion'> {
  clusters: Iterable<LoadedCluster>;
  /** The text of the file as it was. */
  previous?: string | undefined;
  /**
   * `asItWas`: the current context stays, also one that is gone. Contexts that come and go as a hub says must not lead
   * kubectl to another cluster: it says that its context is missing.
   */
  first?: FirstContexts | 'asItWas' | undefined;
  /** By context: namespaces of those that were there earlier, and went. */
  away?: ReadonlyMap<string, string> | undefined;
  platform?: string;
}

const header =
  '# Written by Lanyard from its config.yaml: the clusters, users and contexts of Lanyard here are replaced each time.\n';

/**
 * The kubeconfig by which tools ask Lanyard; each cluster is a context of the same name. Warnings are lines for people.
 * `leaving`: the namespaces of Lanyard's contexts that are in it no more.
 */
export function managedKubeconfig(options: ManagedKubeconfigOptions): {
  text: string;
  warnings: string[];
  leaving: ReadonlyMap<string, string>;
} {
  const warnings: string[] = [];
  const previous = options.previous === undefined ? null : readPreviousKubeconfig(options.previous);
  if (options.previous !== undefined && previous === null) {
    warnings.push('the old managed kubeconfig could not be read, so nothing of it was kept');
  }
  const clusters = [...options.clusters];
  const keepsCurrent = options.first === 'asItWas';
  const first = options.first === 'asItWas' ? undefined : options.first;
  const own = {
    clusters: clusters.map(clusterEntry),
    users: clusters.map((cluster) => userEntry(cluster, options, warnings)),
    contexts: clusters.map((cluster) =>
      contextEntry(cluster, [previous?.namespaces, first?.namespaces, options.away]),
    ),
  };
  const contexts = together('context', own.contexts, previous?.foreign.contexts, warnings);
  const value = {
    apiVersion: 'v1',
    kind: 'Config',
    preferences: previous?.preferences ?? {},
    clusters: together('cluster', own.clusters, previous?.foreign.clusters, warnings),
    users: together('user', own.users, previous?.foreign.users, warnings),
    contexts,
    'current-context': keepsCurrent
      ? (previous?.currentContext ?? '')
      : currentContext(contexts, previous, first),
  };
  const names = new Set(clusters.map(({ name }) => name));
  const leaving = new Map([...(previous?.namespaces ?? [])].filter(([name]) => !names.has(name)));
  return { text: header + printYaml(value), warnings, leaving };
}

/** To be at another cluster unawares is worse than to be at none: an import never chooses one. */
function currentContext(
  contexts: readonly NamedEntry[],
  previous: PreviousKubeconfig | null,
  first: FirstContexts | undefined,
): string {
  const isThere = (wanted: string | null | undefined) => contexts.some(({ name }) => name === wanted);
  if (previous?.hasContexts && (isThere(previous.currentContext) || previous.currentContext === null)) {
    return previous.currentContext ?? '';
  }
  if (first) {
    return isThere(first.current) ? (first.current ?? '') : '';
  }
  return contexts[0]?.name ?? '';
}

/** The user of a cluster. Account names may hold `@`, which is written so that two users never share a name. */
export function userName(cluster: LoadedCluster): string {
  return `${userPrefix}${cluster.config.account.replaceAll('@', '%40')}@${cluster.name}`;
}

/** What a kubeconfig says of a cluster: its own entry and its user's. Warnings are lines for people. */
export function clusterAndUser(
  cluster: LoadedCluster,
  options: Pick<ManagedKubeconfigOptions, 'helperPath' | 'home' | 'apiVersion' | 'platform'>,
): { cluster: object; user: object; warnings: string[] } {
  const warnings: string[] = [];
  const { user } = userEntry(cluster, options, warnings) as unknown as { user: object };
  return { cluster: (clusterEntry(cluster) as unknown as { cluster: object }).cluster, user, warnings };
}

function clusterEntry({ name, config, certificateAuthorityPem }: LoadedCluster): NamedEntry {
  return {
    name,
    cluster: {
      server: config.server,
      ...(config.tlsServerName === undefined ? {} : { 'tls-server-name': config.tlsServerName }),
      ...(config.insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
      ...(config.proxyUrl === undefined ? {} : { 'proxy-url': config.proxyUrl }),
      ...(config.disableCompression ? { 'disable-compression': true } : {}),
      ...(certificateAuthorityPem === null
        ? {}
        : { 'certificate-authority-data': Buffer.from(certificateAuthorityPem).toString('base64') }),
      extensions: [{ name: execExtension, extension: { lanyard: { cluster: name } } }],
    },
  };
}

function contextEntry(
  cluster: LoadedCluster,
  namespaces: readonly (ReadonlyMap<string, string> | undefined)[],
): NamedEntry {
  const { name } = cluster;
  const namespace = namespaces.map((each) => each?.get(name)).find((each) => each !== undefined);
  return {
    name,
    context: { cluster: name, user: userName(cluster), ...(namespace ? { namespace } : {}) },
  };
}

function userEntry(
  cluster: LoadedCluster,
  {
    helperPath,
    home,
    apiVersion,
    platform = process.platform,
  }: Pick<ManagedKubeconfigOptions, 'helperPath' | 'home' | 'apiVersion' | 'platform'>,
  warnings: string[],
): NamedEntry {
  const fits = execInfoFits(cluster, apiVersion, platform);
  if (!fits && cluster.config.withoutInfo === 'refuse') {
    warnings.push(
      `the CA of ${cluster.name} is too large for kubectl to pass on, so kubectl can’t tell its server and will be refused: set withoutInfo: allow for ${cluster.name} in config.yaml, or make its CA file smaller`,
    );
  }
  return {
    name: userName(cluster),
    user: {
      exec: helperExec({
        helperPath,
        home,
        apiVersion,
        account: cluster.config.account,
        cluster: cluster.name,
        fits,
      }),
    },
  };
}

/** Lanyard's entries, then what others wrote into the file; of two with one name Lanyard's is the one. */
function together(
  what: string,
  own: NamedEntry[],
  foreign: NamedEntry[] = [],
  warnings: string[] = [],
): NamedEntry[] {
  const names = new Set(own.map(({ name }) => name));
  for (const { name } of foreign.filter((entry) => names.has(entry.name))) {
    warnings.push(`another program’s ${what} ${name} in the managed kubeconfig was replaced by Lanyard’s`);
  }
  return [...own, ...foreign.filter(({ name }) => !names.has(name))];
}
