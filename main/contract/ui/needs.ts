import { pendingKey } from '../pending-words.ts';
import type { Health } from './health.ts';
import type { ClusterView } from './state.ts';

/** A cluster or registry, as far as it tells what has to be done. */
export type Needing = Pick<ClusterView, 'name' | 'account' | 'state' | 'isPending'> & {
  /** A registry has none. */
  origin?: ClusterView['origin'];
};

/**
 * What has to be done about it, under a name that is the same for all that is one thing to do: one login or secret serves
 * all of an account’s clusters, and so does the approval of a pending account. A pending cluster or registry is a change
 * to approve, counted as everywhere. A server that rejects its credential is a matter of its own.
 */
export function todoOf({ name, account, state, isPending, origin }: Needing): string {
  switch (state) {
    case 'held':
      return isPending
        ? pendingKey({
            what: origin === undefined ? 'registry' : 'cluster',
            name,
            inventory: origin?.inventory,
          })
        : `account ${account}`;
    case 'rejecting':
      return `cluster ${name}`;
    default:
      return `account ${account}`;
  }
}

/** How many things have to be done about those of these healths: the number at the navigation and in filters. */
export function countTodos(
  all: readonly { of: Needing; health: Health }[],
  healths: readonly Health[],
): number {
  return new Set(all.filter(({ health }) => healths.includes(health)).map(({ of }) => todoOf(of))).size;
}

/** The healths that need attention. */
export const needing: readonly Health[] = ['need', 'bad'];
