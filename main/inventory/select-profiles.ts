import type { Disposable } from '../base/disposables.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { approvedProfile } from '../domain/inventory/approved-profile.ts';
import { type ChosenProfile, withSelected } from '../domain/inventory/chosen-profiles.ts';
import { takenByConfig } from '../domain/inventory/context-names.ts';
import { parseLabelSelector } from '../domain/inventory/label-selector.ts';
import type { Profile } from '../domain/inventory/profile.ts';
import type { Confirmed, LoadedConfig, LoadedInventory } from '../domain/loaded-config.ts';
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
  approvals: {
    /** What was approved of clusters, by name, and of which inventories. Only while the vault is open. */
    current(): Pick<Confirmed, 'clusters' | 'inventories'>;
    /** Withdraws the approval of these clusters. */
    forget(names: readonly string[]): Promise<void>;
  };
  log: Log;
}

/** Has `select` of inventories choose profiles as they come and go. To be chosen is no approval (ADR 0029). */
export function createSelecting(deps: SelectingDeps): Disposable & { follow(): void } {
  const { log } = deps;
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
          return settle(deps);
        })
        .catch((error: unknown) => log.warn('profiles.select', { error: String(error) }));
    },
    dispose: () => queue.drain(),
  };
}

async function settle(deps: SelectingDeps): Promise<void> {
  const config = deps.active();
  if (config === null) {
    return;
  }
  await deps.used.update((chosen) => selected(ofInventories(chosen, config, deps), config, deps));
  const unused = deps.active() === null ? [] : unusedApprovals(deps);
  if (unused.length > 0) {
    await deps.approvals.forget(unused);
  }
}

/**
 * Without those of inventories that were removed. An inventory that config.yaml lacks and that is still approved may be
 * there again once the file has no fault.
 */
function ofInventories(
  chosen: readonly ChosenProfile[],
  { inventories }: LoadedConfig,
  { approvals }: SelectingDeps,
): readonly ChosenProfile[] {
  const approved = approvals.current().inventories;
  const left = chosen.filter(
    ({ inventory }) => inventories.has(inventory) || Object.hasOwn(approved, inventory),
  );
  return left.length === chosen.length ? chosen : left;
}

/** The names under which a profile is approved, and none is in use any more. */
function unusedApprovals({ used, approvals }: SelectingDeps): string[] {
  const inUse = new Set(
    used.current().flatMap(({ chosen, contextName }) => (chosen === 'no' ? [] : [contextName])),
  );
  return Object.entries(approvals.current().clusters).flatMap(([name, shape]) =>
    !inUse.has(name) && approvedProfile(shape) !== null ? [name] : [],
  );
}

function selected(chosen: readonly ChosenProfile[], config: LoadedConfig, deps: SelectingDeps) {
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
    isApproved: isApprovedIn(deps.approvals.current().clusters),
    isTaken: takenByConfig(config.clusters),
  });
}

function isApprovedIn(shapes: Readonly<Record<string, string>>): (chosen: ChosenProfile) => boolean {
  return (chosen) => {
    const { contextName } = chosen;
    const shape = Object.hasOwn(shapes, contextName) ? shapes[contextName] : undefined;
    return shape !== undefined && approvedProfile(shape)?.isOf(chosen) === true;
  };
}

function selectorOf({ config }: LoadedInventory): ((profile: Profile) => boolean) | null {
  const parsed = config.select === undefined ? null : parseLabelSelector(config.select);
  return parsed?.ok ? ({ labels }) => parsed.matches(labels) : null;
}
