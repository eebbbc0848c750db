import type { SelectedProfile } from '../../../main/contract/ui/calls/inventories.ts';
import type { InventoryView } from '../../../main/contract/ui/state.ts';
import { wholeNameOf } from './profile-place.ts';

/** The profiles that are selected, by their whole names. */
export type Selection = ReadonlyMap<string, SelectedProfile>;

/** One call takes no more. */
export const mostSelected = 1_000;

export const nothingSelected: Selection = new Map();

/** Selects one, or no longer. */
export function toggled(selection: Selection, profile: SelectedProfile): Selection {
  const next = new Map(selection);
  if (!next.delete(wholeNameOf(profile))) {
    return withAll(selection, [profile]);
  }
  return next;
}

/** With these, too, as far as they fit. */
export function withAll(selection: Selection, profiles: readonly SelectedProfile[]): Selection {
  const next = new Map(selection);
  for (const { inventory, namespace, name, state, context } of profiles) {
    const key = wholeNameOf({ inventory, namespace, name });
    if (next.has(key) || next.size < mostSelected) {
      next.set(key, { inventory, namespace, name, state, context });
    }
  }
  return next;
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
  selection: Selection,
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
