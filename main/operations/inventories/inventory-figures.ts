import { noProfiles, type ProfileCounts } from '../../domain/inventory/profile-state.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import type { Inventories } from '../../inventory/inventories.ts';
import type { InventoryState } from '../../inventory/inventory-state.ts';
import type { ProfileIndex } from './profile-index.ts';

/** What is told of an inventory in numbers: nothing of it is the hub’s text. */
export interface InventoryFigures {
  name: string;
  state: InventoryState;
  /** Its profiles by state, each in one. While Lanyard is locked, those pending approval are among `inUse`. */
  profiles: ProfileCounts;
  /** Objects that are no profiles, and profiles that are left out. */
  problems: number;
}

export interface InventoryFiguresReader {
  /** In the order of config.yaml. */
  read(): Promise<readonly InventoryFigures[]>;
}

export interface InventoryFiguresDeps {
  config: { current(): Pick<LoadedConfig, 'inventories'> };
  inventories: Pick<Inventories, 'state' | 'problems'>;
  profiles: Pick<ProfileIndex, 'read'>;
}

export function createInventoryFigures({
  config,
  inventories,
  profiles,
}: InventoryFiguresDeps): InventoryFiguresReader {
  return {
    async read() {
      const { counts } = await profiles.read();
      return [...config.current().inventories.keys()].flatMap((name) => {
        const state = inventories.state(name);
        const problems = inventories.problems(name).length;
        const counted = counts.get(name)?.byState ?? noProfiles;
        return state === null ? [] : [{ name, state, profiles: counted, problems }];
      });
    },
  };
}
