import type { ChosenProfile } from './chosen-profiles.ts';
import type { ProfileName } from './profile.ts';

/** What is known of inventories: null is an inventory, or a profile, that isn’t. */
export interface KnownInventories {
  /** `lastSyncAt`: null before the first list. */
  state(inventory: string): { lastSyncAt: number | null } | null;
  profile(name: ProfileName): object | null;
}

/** Whether a profile is in use, and its inventory no longer has it. Before the first list nothing is gone. */
export function isGone(chosen: ChosenProfile, inventories: KnownInventories): boolean {
  return (
    chosen.chosen !== 'no' &&
    inventories.state(chosen.inventory)?.lastSyncAt !== null &&
    inventories.profile(chosen) === null
  );
}
