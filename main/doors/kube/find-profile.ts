import { type Refusal, refuse } from '../../contract/refusal.ts';
import { profilesAt, type WantedProfile } from '../../domain/inventory/profiles-at.ts';
import type { ExecRequest } from '../../domain/server/exec-credential.ts';
import { clusterTarget } from '../../domain/target/cluster-target.ts';
import { plainAddress } from '../../domain/text/plain-address.ts';
import { shownName } from '../../domain/text/shown-name.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { FindClusterDeps, FoundTarget } from './find-cluster.ts';

export interface ProfileQuestion {
  /** `--provider` */
  provider: string;
  /** `--profile`: it narrows, never widens. */
  profile: string | null;
  request: ExecRequest;
}

/**
 * The profile in use that a controller’s credential would go to (rule: known-server); each doubt is a refusal. An
 * unknown server is no question to the user here: the user chooses profiles, and a controller asks for thousands.
 */
export function findProfile(question: ProfileQuestion, deps: FindClusterDeps): FoundTarget {
  const { directory, destination } = deps;
  const requested = question.request.cluster;
  if (requested === null) {
    return refuse(
      'notPermitted',
      'controller.withoutInfo',
      'the client did not tell which cluster it asks for',
      'set provideClusterInfo: true in the execConfig of the controller’s provider file',
    );
  }
  const wanted = { ...question, requested };
  const serverRewrites = (inventory: string) => directory.serverRewrites(inventory);
  const at = { destination, serverRewrites };
  const { matches, nearest } = profilesAt(wanted, directory.clusters(), at);
  // By name: the directory denies a cluster without an approved form (rule: confirmed-binding).
  const served = matches.flatMap(({ name }) => {
    const found = directory.cluster(name);
    return found.ok ? [found.cluster] : [];
  });
  const [one, ...others] = served;
  if (one) {
    return others.length === 0 ? { ok: true, target: clusterTarget(one) } : ambiguous(served);
  }
  const [pending] = profilesAt(wanted, directory.pendingClusters(), at).matches;
  if (pending) {
    return refuse(
      'notPermitted',
      'binding.held',
      `the profile ${profileName(pending)} is not approved`,
      `review and approve it: lanyard confirm ${pending.name}`,
    );
  }
  return nearest ? otherPlace(nearest.cluster, nearest.differences) : notInUse(wanted);
}

function ambiguous(clusters: readonly LoadedCluster[]): Refusal {
  const names = clusters.slice(0, 8).map(profileName);
  const more = clusters.length - names.length;
  return refuse(
    'notPermitted',
    'controller.ambiguous',
    `several profiles in use are reached this way: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    `drop all but one: lanyard inventory drop NAME; or say which, such as --profile ${names[0]}`,
  );
}

function otherPlace(cluster: LoadedCluster, differences: readonly string[]): Refusal {
  return refuse(
    'notPermitted',
    'controller.differs',
    `the controller reaches the server of the profile ${profileName(cluster)} in another way: ${differences.join('; ')}`,
    `compare with: lanyard inventory show ${cluster.name}`,
  );
}

function notInUse({ provider, profile, requested }: WantedProfile): Refusal {
  const server = visibleText(plainAddress(requested.server), 300);
  return refuse(
    'notPermitted',
    'controller.unknown',
    `no profile in use of the provider ${shownName(provider)}${profile === null ? '' : ` is ${shownName(profile)} and`} has the server ${server}`,
    profile === null
      ? 'find it with: lanyard inventory list; then: lanyard inventory use NAME'
      : `lanyard inventory use ${profile}`,
  );
}

function profileName({ name, origin }: LoadedCluster): string {
  return origin ? `${origin.inventory}:${origin.namespace}/${origin.name}` : name;
}
