import type { Profile } from './profile.ts';

/** Which profiles say that they are of the same cluster as another. */
export interface AlsoListed {
  /** All of them, without itself. */
  count: number;
  /** The first of them. */
  profiles: readonly Profile[];
}

const mostNamed = 8;
const none: AlsoListed = { count: 0, profiles: [] };

/**
 * Finds the profiles of one cluster, of all inventories, by their label `multicluster.x-k8s.io/inventory-member-id`
 * (KEP-4322). A hint for display: whoever writes a profile can set it, so nothing is decided by it.
 */
export function findSameCluster(profiles: Iterable<Profile>): (profile: Profile) => AlsoListed {
  const byMember = new Map<string, Profile[]>();
  for (const profile of profiles) {
    if (profile.memberId !== null) {
      const known = byMember.get(profile.memberId);
      if (known) {
        known.push(profile);
      } else {
        byMember.set(profile.memberId, [profile]);
      }
    }
  }
  return (profile) => {
    const all = profile.memberId === null ? [] : (byMember.get(profile.memberId) ?? []);
    if (all.length < 2) {
      return none;
    }
    const others = all.slice(0, mostNamed + 1).filter((each) => each !== profile);
    return { count: all.length - 1, profiles: others.slice(0, mostNamed) };
  };
}
