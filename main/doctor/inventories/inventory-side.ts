import type { ProfileState } from '../../contract/ui/calls/inventories.ts';
import type { ChosenProfile } from '../../domain/inventory/chosen-profiles.ts';
import type { Profile } from '../../domain/inventory/profile.ts';
import type { Resolution } from '../../domain/inventory/resolve-profile.ts';
import type { Inventories } from '../../inventory/inventories.ts';

/** A profile, and what becomes of it. */
export interface CheckedProfile {
  profile: Profile;
  resolution: Resolution;
  chosen: ChosenProfile | null;
  state: ProfileState;
}

/** What the broker knows of inventories. */
export interface InventorySide {
  inventories: Pick<Inventories, 'profile' | 'state' | 'problems'>;
  used: { current(): readonly ChosenProfile[] };
  /** All profiles of all inventories. */
  profiles: { read(): Promise<{ rows: readonly CheckedProfile[] }> };
}
