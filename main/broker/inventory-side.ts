import type { InventorySide } from '../doctor/inventories/inventory-side.ts';
import { profileRows } from '../operations/inventories/profile-rows.ts';
import type { Areas } from './areas.ts';

/** Inventories as `lanyard doctor` checks them. */
export function inventorySide({ deps, served }: Areas): InventorySide {
  const { inventories, used } = deps.inventories;
  return {
    inventories,
    used,
    profileRows: () => profileRows({ ...deps.inventories, config: deps.config, bindings: served.bindings }),
  };
}
