import type { InventoryView } from '../../../contract/ui/state.ts';
import type { LoadedConfig, LoadedInventory } from '../../../domain/loaded-config.ts';
import type { Inventories } from '../../../inventory/inventories.ts';
import type { ProfileIndex } from '../../../operations/inventories/profile-index.ts';

export interface InventoryViewsDeps {
  /** With what is pending. */
  config: { current(): LoadedConfig };
  inventories: Pick<Inventories, 'state' | 'problems'>;
  profiles: Pick<ProfileIndex, 'latest'>;
  /** Whether Lanyard is unlocked. */
  isOpen(): boolean;
  /** Whether the inventory, or a cluster, has an approved form. Asked only while Lanyard is unlocked. */
  isServed(what: 'inventory' | 'cluster', name: string): boolean;
}

/** The section `inventories`: each inventory of config.yaml, how its source is, and how many profiles it has. */
export function inventoryViews(deps: InventoryViewsDeps): InventoryView[] {
  const list = deps.profiles.latest();
  return [...deps.config.current().inventories.values()].map((inventory): InventoryView => {
    const { name, config } = inventory;
    const state = deps.inventories.state(name);
    const counts = list?.counts.get(name);
    const {
      inUse = 0,
      pending = 0,
      remade = 0,
      refused = 0,
      available = 0,
      unusable = 0,
    } = {
      ...counts?.byState,
    };
    return {
      name,
      hub: config.cluster ?? null,
      files: [...(config.files ?? [])],
      providers: config.providers.map(({ name: provider, account }) => ({ name: provider, account })),
      state: notRead(inventory, deps) ?? state?.kind ?? 'starting',
      lastSyncAt: state?.lastSyncAt ?? null,
      trouble: state?.trouble ? { code: state.trouble.code, text: state.trouble.text } : null,
      troubleSince: state?.troubleSince ?? null,
      retryAt: state?.retryAt ?? null,
      profiles: { total: counts?.total ?? 0, inUse, pending, remade, refused, available, unusable },
      accounts: [...(counts?.inUseByAccount ?? [])].map(([account, used]) => ({ account, inUse: used })),
      problems: deps.inventories.problems(name).length,
      contexts: config.contexts,
      select: config.select ?? null,
      trusted: config.trusted,
      version: list?.version ?? 0,
    };
  });
}

/** Why its source isn’t read at all; null: it is. */
function notRead(
  { name, config }: LoadedInventory,
  { isOpen, isServed }: InventoryViewsDeps,
): 'locked' | 'held' | null {
  if (!isOpen()) {
    return 'locked';
  }
  const isApproved =
    isServed('inventory', name) && (config.cluster === undefined || isServed('cluster', config.cluster));
  return isApproved ? null : 'held';
}
