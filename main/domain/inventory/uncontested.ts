import { clusterShape } from '../approval/cluster-shape.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { approvedProfile } from './approved-profile.ts';
import type { ChosenProfile } from './chosen-profiles.ts';
import { KnownServers, serverOf } from './known-servers.ts';

/** A profile in use, as a cluster. */
export interface UsedCluster {
  cluster: LoadedCluster;
  chosen: ChosenProfile['chosen'];
}

/** What was approved, by the cluster’s name (rule: confirmed-binding); null: not known, as the vault was never open. */
export type ApprovedShapes = Readonly<Record<string, string>> | null;

/**
 * Those profiles in use that lead to no other’s server in another way: with another CA, TLS name or proxy. `known`:
 * config.yaml’s clusters, which win. Among profiles the one wins that is approved with that server, however the others
 * are named and whenever they came; then one that the user chose. Where nothing tells two apart, neither is believed.
 * Without approvals nothing is issued, and each stays (rule: remote-inventory).
 */
export function uncontested<Used extends UsedCluster>(
  known: Iterable<LoadedCluster>,
  used: readonly Used[],
  approved: ApprovedShapes,
): readonly Used[] {
  const own = new KnownServers(known);
  const left = used.filter(({ cluster }) => own.conflictOf(cluster) === null);
  const all = new KnownServers(left.map(({ cluster }) => cluster));
  const contested = new Set(
    left.flatMap(({ cluster }) => (all.conflictOf(cluster) === null ? [] : [serverOf(cluster)])),
  );
  if (contested.size === 0 || approved === null) {
    return left;
  }
  const winners = new KnownServers(
    [...contested].flatMap((server) => {
      const winner = winnerOf(
        left.filter(({ cluster }) => serverOf(cluster) === server),
        approved,
      );
      return winner === null ? [] : [winner];
    }),
  );
  return left.filter(({ cluster }) => !contested.has(serverOf(cluster)) || winners.isReachedAs(cluster));
}

/** Null: none of them is believed. */
function winnerOf(
  claims: readonly UsedCluster[],
  approved: Readonly<Record<string, string>>,
): LoadedCluster | null {
  const standings = claims.map((claim) => standingOf(claim, approved));
  const best = Math.max(...standings);
  const [first, ...others] = claims
    .filter((_, index) => standings[index] === best)
    .map(({ cluster }) => cluster);
  if (first === undefined) {
    return null;
  }
  const isAgreed = new KnownServers([first]);
  return best >= standing.approvedServer || others.every((other) => isAgreed.conflictOf(other) === null)
    ? first
    : null;
}

const standing = { selected: 0, byUser: 1, approvedServer: 2, approved: 3 } as const;

function standingOf({ cluster, chosen }: UsedCluster, approved: Readonly<Record<string, string>>): number {
  const before = Object.hasOwn(approved, cluster.name) ? approved[cluster.name] : undefined;
  if (before === clusterShape(cluster)) {
    return standing.approved;
  }
  const profile = before === undefined ? null : approvedProfile(before);
  // Another one’s approval under its name tells nothing of it.
  if (cluster.origin && profile?.isOf(cluster.origin) && profile.server === serverOf(cluster)) {
    return standing.approvedServer;
  }
  return chosen === 'user' ? standing.byUser : standing.selected;
}
