import { z } from 'zod';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { asClientsSee, type ProxyPlace } from '../../domain/proxy/client-view.ts';
import { clientListenerOf } from '../../domain/proxy/own-form.ts';
import type { DestinationMatch, DestinationMatcher } from '../../domain/server/destination.ts';
import type { ExecRequest, RequestedCluster } from '../../domain/server/exec-credential.ts';
import { type ClusterTarget, clusterTarget } from '../../domain/target/cluster-target.ts';
import { plainAddress } from '../../domain/text/plain-address.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { Directory } from '../../ports/broker-core.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { ProxyEntrance } from '../../ports/request-proxy.ts';

/**
 * `{"lanyard": {"cluster": NAME}}` in the cluster's exec extension (KEP-541/cluster-config). Anything else belongs to
 * other plugins.
 */
const ownConfig = z.object({ lanyard: z.object({ cluster: z.string() }) });

/** The code of the refusal for a server that is in no cluster and near none (rule: known-server). */
export const unknownServerCode = 'kube.destination.unknown';

export interface KubeQuestion {
  account: string;
  /** `--cluster`: it narrows, never widens. */
  cluster: string | null;
  request: ExecRequest;
}

export interface FindClusterDeps {
  directory: Directory;
  destination: DestinationMatcher;
  /** Clients of a proxied cluster say the request proxy’s address (rule: known-server). */
  proxy: ProxyEntrance;
}

type FoundCluster = { ok: true; cluster: LoadedCluster } | Refusal;

export type FoundTarget = { ok: true; target: ClusterTarget } | Refusal;

/** The cluster that the credential would go to (rule: known-server); each doubt is a refusal. */
export function findCluster(question: KubeQuestion, deps: FindClusterDeps): FoundTarget {
  const requested = question.request.cluster;
  const name = question.cluster ?? nameInConfig(requested?.config);
  const found = name === null ? byServer(question, deps) : deps.directory.cluster(name);
  if (!found.ok) {
    return found;
  }
  const { cluster } = found;
  if (cluster.config.account !== question.account) {
    return refuse(
      'notPermitted',
      'kube.cluster.account',
      `the cluster ${cluster.name} gets its credential from ${cluster.config.account}, not from ${question.account}`,
      'regenerate the kubeconfig: lanyard kubeconfig write',
    );
  }
  return requested === null ? withoutInfo(cluster) : atItsServer(question, requested, cluster, deps);
}

function nameInConfig(config: unknown): string | null {
  const own = ownConfig.safeParse(config);
  return own.success ? own.data.lanyard.cluster : null;
}

function byServer(question: KubeQuestion, deps: FindClusterDeps): FoundCluster {
  const requested = question.request.cluster;
  if (!requested) {
    return refuse(
      'notPermitted',
      'kube.cluster.untold',
      'the client told neither a server nor --cluster, so the credential’s destination is not known',
      'use the kubeconfig that lanyard writes: lanyard kubeconfig write',
    );
  }
  const ofAccount = deps.directory
    .clusters()
    .filter((each) => each.config.account === question.account)
    .flatMap((each) => asSeen(each, question, deps));
  const first = deps.destination.findCluster(requested, ofAccount);
  // A new one that is pending at the same server takes nothing from the one that serves there.
  const serves = first.ok && deps.directory.cluster(first.cluster.name).ok;
  const approved = serves ? first : amongApproved(requested, ofAccount, deps);
  const found = approved.ok ? approved : first;
  if (found.ok) {
    // Again by name: the directory denies a cluster without an approved form (rule: confirmed-binding).
    return deps.directory.cluster(found.cluster.name);
  }
  if (found.reason === 'several') {
    return refuse(
      'notPermitted',
      'kube.cluster.ambiguous',
      `several clusters have this server: ${found.names.join(', ')}`,
      'say which with --cluster: lanyard kubeconfig write does that',
    );
  }
  const pending = pendingAt(question, requested, deps);
  if (pending) {
    return pending;
  }
  return found.nearest
    ? otherPlace(found.nearest.cluster, found.nearest.differences)
    : unknownServer(question, requested);
}

function amongApproved(
  requested: RequestedCluster,
  clusters: readonly LoadedCluster[],
  { directory, destination }: FindClusterDeps,
): ReturnType<DestinationMatcher['findCluster']> {
  return destination.findCluster(
    requested,
    clusters.filter(({ name }) => directory.cluster(name).ok),
  );
}

/** The client talks to where a pending change would lead: what is approved is somewhere else. */
function pendingAt(
  question: KubeQuestion,
  requested: RequestedCluster,
  deps: FindClusterDeps,
): Refusal | null {
  const there = deps.directory
    .pendingClusters()
    .find((each) => each.config.account === question.account && matchOf(question, requested, each, deps).ok);
  return there
    ? refuse(
        'notPermitted',
        'binding.held',
        `the client talks to the server of a pending change: the cluster ${there.name} is not approved for it`,
        `review and approve it: lanyard confirm ${there.name}`,
      )
    : null;
}

function withoutInfo(cluster: LoadedCluster): FoundTarget {
  return cluster.config.withoutInfo === 'allow'
    ? { ok: true, target: clusterTarget(cluster) }
    : refuse(
        'notPermitted',
        'kube.cluster.withoutInfo',
        `the client did not send cluster info, which ${cluster.name} requires`,
        // Lanyard's own kubeconfigs say provideClusterInfo already, and these clients don't know it.
        `the JavaScript client and Terraform never tell it: for those, set withoutInfo: allow for the cluster ${cluster.name} in config.yaml; kubectl tells it where the kubeconfig’s user has provideClusterInfo: true`,
      );
}

function atItsServer(
  question: KubeQuestion,
  requested: RequestedCluster,
  cluster: LoadedCluster,
  deps: FindClusterDeps,
): FoundTarget {
  const match = matchOf(question, requested, cluster, deps);
  return match.ok
    ? { ok: true, target: clusterTarget(cluster) }
    : (pendingAt(question, requested, deps) ?? otherPlace(cluster, match.differences));
}

/** What no client can say: nothing matches it. */
const nowhere: ProxyPlace = { port: 0, certificate: '' };

function matchOf(
  question: KubeQuestion,
  requested: RequestedCluster,
  cluster: LoadedCluster,
  deps: FindClusterDeps,
): DestinationMatch {
  const [view, ...others] = asSeen(cluster, question, deps);
  const match = (each: LoadedCluster) => deps.destination.match(requested, each);
  return others.map(match).reduce(nearer, match(view));
}

/** Of two that differ: what the user may have meant. */
function nearer(one: DestinationMatch, other: DestinationMatch): DestinationMatch {
  return !one.ok && (other.ok || other.differences.length < one.differences.length) ? other : one;
}

/** As a client may know the cluster. One that gets a listener of its own may know the cluster’s own server, too. */
function asSeen(
  cluster: LoadedCluster,
  { request }: KubeQuestion,
  { proxy }: FindClusterDeps,
): [LoadedCluster, ...LoadedCluster[]] {
  const view = asClientsSee(cluster, proxy.knownPlace() ?? nowhere);
  return clientListenerOf(cluster, request.lockFilePath) === null ? [view] : [view, cluster];
}

function otherPlace(cluster: LoadedCluster, differences: readonly string[]): Refusal {
  return refuse(
    'notPermitted',
    'kube.destination.differs',
    `server mismatch for the cluster ${cluster.name}: ${differences.join('; ')}`,
    cluster.config.proxy
      ? 'its requests go through Lanyard’s request proxy; use the kubeconfig that Lanyard writes: lanyard kubeconfig write'
      : 'if the cluster has changed, change it in config.yaml; if you did not expect this, do not trust the kubeconfig',
  );
}

function unknownServer(question: KubeQuestion, requested: RequestedCluster): Refusal {
  // Without what a kubeconfig may hold of a password, and so that two addresses don't look the same.
  const server = visibleText(plainAddress(requested.server), 300);
  return refuse(
    'notPermitted',
    unknownServerCode,
    `no cluster with the server ${server} is configured for the account ${question.account}`,
    `if you trust it: lanyard cluster add NAME --server ${shellWord(server)} --account ${question.account} …`,
  );
}

/** A client's text inside a command that the user may copy: quoted where a shell would interpret it. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9._:/@[\]-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
