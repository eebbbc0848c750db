import type { InventoryState } from '../inventory-state.ts';

/** An inventory in sync with its hub. */
export function liveInventory(more: Partial<InventoryState> = {}): InventoryState {
  return {
    kind: 'live',
    lastSyncAt: 1,
    lagMilliseconds: 5,
    trouble: null,
    troubleSince: null,
    servedVersion: null,
    retryAt: null,
    ...more,
  };
}
