import type { Disposables } from '../base/disposables.ts';
import type { Paths } from '../domain/paths.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccountDrafts, ConfigStore } from '../ports/config-store.ts';
import type { Log } from '../ports/log.ts';
import { type Inventories, openInventories } from './inventories.ts';
import { Resolutions } from './resolutions.ts';
import { openUsedProfiles, type UsedProfiles } from './used-profiles.ts';
import { type ApprovingVault, vaultApprovals } from './vault-approvals.ts';
import { withProfiles } from './with-profiles.ts';

/** What is known of inventories, and what of it is in use. */
export interface InventoryParts {
  inventories: Inventories;
  used: UsedProfiles;
  resolutions: Resolutions;
}

/** Opens them from the home, and gives the configuration with the profiles in use. */
export async function openInventoryParts(
  {
    config: file,
    vault,
    paths,
    clock,
    log,
  }: {
    config: ConfigStore & AccountDrafts;
    vault: ApprovingVault;
    paths: Paths;
    clock: Clock;
    log: Log;
  },
  disposables: Disposables,
): Promise<{ config: ConfigStore & AccountDrafts; inventories: InventoryParts }> {
  const used = await openUsedProfiles({ file: paths.usedProfiles, clock, log });
  const inventories = disposables.add(
    await openInventories({ folder: paths.inventories, config: file, clock, random: Math.random, log }),
  );
  const resolutions = new Resolutions();
  const config = disposables.add(
    withProfiles({
      config: file,
      used,
      known: inventories,
      resolutions,
      approvals: vaultApprovals(vault),
    }),
  );
  return { config, inventories: { inventories, used, resolutions } };
}
