import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bindings } from '../../access/bindings.ts';
import type { ProfileState } from '../../contract/ui/calls/inventories.ts';
import type { ChosenProfile } from '../../domain/inventory/chosen-profiles.ts';
import { isSameProfile } from '../../domain/inventory/chosen-profiles.ts';
import type { Profile } from '../../domain/inventory/profile.ts';
import type { Resolution } from '../../domain/inventory/resolve-profile.ts';
import type { Inventories } from '../../inventory/inventories.ts';
import type { Resolutions } from '../../inventory/resolutions.ts';
import type { UsedProfiles } from '../../inventory/used-profiles.ts';
import type { ConfigStore } from '../../ports/config-store.ts';

export interface ProfileRowsDeps {
  config: Pick<ConfigStore, 'current'>;
  bindings: Pick<Bindings, 'pending'>;
  inventories: Pick<Inventories, 'profilesOf'>;
  used: Pick<UsedProfiles, 'current'>;
  resolutions: Resolutions;
}

/** A profile as it is listed. */
export interface ProfileRow {
  profile: Profile;
  resolution: Resolution;
  /** Its context’s name; null: it was never chosen. */
  chosen: ChosenProfile | null;
  state: ProfileState;
}

/** Resolved between two turns of the event loop: some milliseconds’ work. */
const rowsPerTurn = 50;

/** All profiles of all inventories, in the order of config.yaml, then by namespace and name. Others have their turn meanwhile. */
export async function profileRows(deps: ProfileRowsDeps): Promise<ProfileRow[]> {
  const chosen = chosenByName(deps);
  const rows: ProfileRow[] = [];
  let count = 0;
  for (const inventory of deps.config.current().inventories.keys()) {
    for (const profile of [...deps.inventories.profilesOf(inventory)].sort(byName)) {
      count += 1;
      if (count % rowsPerTurn === 0) {
        await nextTurn();
      }
      const row = profileRow(profile, chosen, deps);
      if (row !== null) {
        rows.push(row);
      }
    }
  }
  return rows;
}

type ChosenByName = ReadonlyMap<string, ChosenProfile>;

function chosenByName({ used }: Pick<ProfileRowsDeps, 'used'>): ChosenByName {
  return new Map(used.current().map((each) => [nameKey(each), each]));
}

/** Null: config.yaml no longer has its inventory. */
function profileRow(profile: Profile, byName: ChosenByName, deps: ProfileRowsDeps): ProfileRow | null {
  const resolution = deps.resolutions.of(profile, deps.config.current());
  const chosen = byName.get(nameKey(profile)) ?? null;
  return resolution && { profile, resolution, chosen, state: stateOf(profile, resolution, chosen, deps) };
}

function stateOf(
  profile: Profile,
  resolution: Resolution,
  chosen: ChosenProfile | null,
  { config, bindings }: ProfileRowsDeps,
): ProfileState {
  if (!resolution.ok) {
    return 'unusable';
  }
  if (chosen === null || chosen.chosen === 'no') {
    return 'available';
  }
  if (chosen.uid !== profile.uid) {
    return 'remade';
  }
  const origin = config.current().clusters.get(chosen.contextName)?.origin;
  if (!origin || !isSameProfile(origin, profile)) {
    return 'refused';
  }
  return bindings.pending('cluster', chosen.contextName) === null ? 'inUse' : 'pending';
}

function nameKey({ inventory, namespace, name }: Pick<Profile, 'inventory' | 'namespace' | 'name'>): string {
  return `${inventory} ${namespace}/${name}`;
}

function byName(a: Profile, b: Profile): number {
  const [first, second] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`];
  return first < second ? -1 : first > second ? 1 : 0;
}
