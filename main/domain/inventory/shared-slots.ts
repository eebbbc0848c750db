import type { ProfileName } from './profile.ts';

/**
 * Which of the profiles that want a slot get one: each time the first of the namespace that has the fewest, and of such
 * namespaces the first by name. So a namespace gets more than another only where that one wants no more.
 * `wanting`: of each namespace in the order in which they get them. `taken`: those that have one already.
 */
export function sharedSlots<Wanting extends ProfileName>(
  wanting: readonly Wanting[],
  { slots, taken }: { slots: number; taken: readonly ProfileName[] },
): Wanting[] {
  const counts = new Map<string, number>();
  for (const { namespace } of taken) {
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  // The slot that each would be of its namespace tells its turn.
  const turns = wanting.map((profile) => {
    const turn = (counts.get(profile.namespace) ?? 0) + 1;
    counts.set(profile.namespace, turn);
    return { profile, turn };
  });
  return turns
    .sort((a, b) => a.turn - b.turn || compare(a.profile.namespace, b.profile.namespace))
    .slice(0, Math.max(0, slots))
    .map(({ profile }) => profile);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
