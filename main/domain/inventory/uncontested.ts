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
 * are named and whenever they came; then one that is approved elsewhere, and then one that the user chose. Where nothing
 * tells two apart, neither is believed.
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
  const refused = new Set(
    [...contested].flatMap((server) =>
      refusedOf(
        left.filter(({ cluster }) => serverOf(cluster) === server),
        approved,
      ),
    ),
  );
  return left.filter((each) => !refused.has(each));
}

/** Of those that state one server, and different ways to it. */
function refusedOf<Used extends UsedCluster>(
  claims: readonly Used[],
  approved: Readonly<Record<string, string>>,
): readonly Used[] {
  const standings = new Map(claims.map((claim) => [claim, standingOf(claim, approved)]));
  const best = Math.max(...standings.values());
  const [first, ...others] = claims.filter((claim) => standings.get(claim) === best);
  const ways = new KnownServers(first ? [first.cluster] : []);
  const isReachedAs = ({ cluster }: UsedCluster) => ways.conflictOf(cluster) === null;
  if (best < standing.approvedElsewhere && !others.every(isReachedAs)) {
    return claims;
  }
  // An approved one that moves goes on serving as it was approved, whoever claims the new place, too.
  const stays = best === standing.approvedElsewhere ? best : Number.POSITIVE_INFINITY;
  return claims.filter((claim) => standings.get(claim) !== stays && !isReachedAs(claim));
}

const standing = { selected: 0, byUser: 1, approvedElsewhere: 2, approvedServer: 3, approved: 4 } as const;

function standingOf({ cluster, chosen }: UsedCluster, approved: Readonly<Record<string, string>>): number {
  const before = Object.hasOwn(approved, cluster.name) ? approved[cluster.name] : undefined;
  if (before === clusterShape(cluster)) {
    return standing.approved;
  }
  const profile = before === undefined ? null : approvedProfile(before);
  // Another one’s approval under its name tells nothing of it.
  if (cluster.origin && profile?.isOf(cluster.origin)) {
    return profile.server === serverOf(cluster) ? standing.approvedServer : standing.approvedElsewhere;
  }
  return chosen === 'user' ? standing.byUser : standing.selected;
}
