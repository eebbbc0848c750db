import type { Disposable } from '../base/disposables.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { withSelected } from '../domain/inventory/chosen-profiles.ts';
import { takenByConfig } from '../domain/inventory/context-names.ts';
import { parseLabelSelector } from '../domain/inventory/label-selector.ts';
import type { Profile } from '../domain/inventory/profile.ts';
import type { LoadedConfig, LoadedInventory } from '../domain/loaded-config.ts';
import type { Log } from '../ports/log.ts';
import type { Inventories } from './inventories.ts';
import type { Resolutions } from './resolutions.ts';
import type { UsedProfiles } from './used-profiles.ts';

export interface SelectingDeps {
  inventories: Pick<Inventories, 'profilesOf'>;
  used: UsedProfiles;
  resolutions: Resolutions;
  /** The active configuration; null: Lanyard is locked. */
  active(): LoadedConfig | null;
  /** Whether the inventory is approved. */
  isServed(inventory: string): boolean;
  log: Log;
}

/** Has `select` of inventories choose profiles as they come and go. To be chosen is no approval (ADR 0029). */
export function createSelecting(deps: SelectingDeps): Disposable & { follow(): void } {
  const { used, log } = deps;
  const queue = new SerialQueue();
  let isWaiting = false;
  return {
    follow() {
      if (isWaiting) {
        return;
      }
      isWaiting = true;
      queue
        .run(() => {
          isWaiting = false;
          return used.update((chosen) => selected(chosen, deps));
        })
        .catch((error: unknown) => log.warn('profiles.select', { error: String(error) }));
    },
    dispose: () => queue.drain(),
  };
}

function selected(chosen: ReturnType<UsedProfiles['current']>, deps: SelectingDeps) {
  const config = deps.active();
  if (config === null) {
    return chosen;
  }
  const inventories = [...config.inventories.values()]
    .filter(({ name }) => deps.isServed(name))
    .map((inventory) => ({
      name: inventory.name,
      contextName: inventory.config.contextName,
      contexts: inventory.config.contexts,
      selects: selectorOf(inventory),
    }));
  return withSelected(chosen, {
    inventories,
    profilesOf: (name) => deps.inventories.profilesOf(name),
    isUsable: (profile) => deps.resolutions.of(profile, config)?.ok ?? false,
    isTaken: takenByConfig(config.clusters),
  });
}

function selectorOf({ config }: LoadedInventory): ((profile: Profile) => boolean) | null {
  const parsed = config.select === undefined ? null : parseLabelSelector(config.select);
  return parsed?.ok ? ({ labels }) => parsed.matches(labels) : null;
}
