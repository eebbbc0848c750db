import type { SelectedProfile } from '../../../main/contract/ui/calls/inventories.ts';
import type { InventoryView } from '../../../main/contract/ui/state.ts';
import type { Selection } from '../../ui/selection.ts';
import { wholeNameOf } from './profile-place.ts';

/** The profiles that are selected, by their whole names. */
export type ProfileSelection = Selection<SelectedProfile>;

/** One call takes no more. */
export const mostSelected = 1_000;

/** Its key among those that are selected, and what is kept of it. */
export function selectable({
  inventory,
  namespace,
  name,
  state,
  context,
}: SelectedProfile): [string, SelectedProfile] {
  return [wholeNameOf({ inventory, namespace, name }), { inventory, namespace, name, state, context }];
}

/** What can become of those that are selected. */
export interface SelectionSum {
  /** Would get a context, or are to be approved anew. */
  toAdd: SelectedProfile[];
  /** Have a context. */
  toRemove: SelectedProfile[];
  unusable: number;
  /** Inventories that would have more contexts than they may. */
  tooMany: { inventory: string; contexts: number; inUse: number; more: number }[];
}

export function sumOf(
  selection: ProfileSelection,
  inventories: Readonly<Record<string, InventoryView>>,
): SelectionSum {
  const all = [...selection.values()];
  const toAdd = all.filter(({ state }) => state !== 'unusable' && state !== 'inUse' && state !== 'pending');
  const fresh = toAdd.filter(({ context }) => context === null);
  return {
    toAdd,
    toRemove: all.filter(({ context }) => context !== null),
    unusable: all.filter(({ state }) => state === 'unusable').length,
    tooMany: Object.values(inventories).flatMap(({ name, contexts, profiles }) => {
      const more = fresh.filter(({ inventory }) => inventory === name).length;
      const inUse = profiles.inUse + profiles.pending + profiles.remade + profiles.refused;
      return more > 0 && inUse + more > contexts ? [{ inventory: name, contexts, inUse, more }] : [];
    }),
  };
}
