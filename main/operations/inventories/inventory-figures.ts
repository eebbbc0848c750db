import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Disposable, Disposables } from '../../base/disposables.ts';
import { countedStates, type ProfileCounts } from '../../domain/inventory/profile-state.ts';
import type { Inventories } from '../../inventory/inventories.ts';
import type { InventoryState } from '../../inventory/inventory-state.ts';
import type { Gate } from '../../ports/broker-core.ts';
import {
  type ChosenByName,
  chosenByName,
  type ProfileRowsDeps,
  profileRow,
  rowsPerTurn,
} from './profile-rows.ts';

/** What is told of an inventory in numbers: nothing of it is the hub’s text. */
export interface InventoryFigures {
  name: string;
  state: InventoryState;
  /** Its profiles by state, each in one. While Lanyard is locked, those pending approval are among `inUse`. */
  profiles: ProfileCounts;
  /** Objects that are no profiles, and profiles that are left out. */
  problems: number;
}

export interface InventoryFiguresReader extends Disposable {
  /** In the order of config.yaml. */
  read(): Promise<readonly InventoryFigures[]>;
}

export interface InventoryFiguresDeps extends Omit<ProfileRowsDeps, 'inventories'> {
  inventories: Pick<Inventories, 'profile' | 'profilesOf' | 'state' | 'problems' | 'onChange'>;
  gate: Gate;
  /** Whatever a profile’s state depends on: the configuration, what is in use and approved, the lock. */
  changes: readonly ((listener: () => void) => Disposable)[];
}

/**
 * Counts profiles once for each change of what they depend on, not for each reader. What was resolved before isn’t
 * again, and others have their turn meanwhile.
 */
export function createInventoryFigures(deps: InventoryFiguresDeps): InventoryFiguresReader {
  const disposables = new Disposables();
  let counting: Promise<ReadonlyMap<string, ProfileCounts>> | null = null;
  const forget = () => {
    counting = null;
  };
  for (const onChange of deps.changes) {
    disposables.add(onChange(forget));
  }
  disposables.add(deps.inventories.onChange(forget));
  const counts = () => {
    counting ??= countAll(deps).catch((error: unknown) => {
      forget();
      throw error;
    });
    return counting;
  };
  return {
    async read() {
      const counted = await counts();
      return [...deps.config.current().inventories.keys()].flatMap((name) => {
        const state = deps.inventories.state(name);
        const problems = deps.inventories.problems(name).length;
        return state === null ? [] : [{ name, state, profiles: counted.get(name) ?? none, problems }];
      });
    },
    dispose: () => disposables.dispose(),
  };
}

const none: ProfileCounts = Object.fromEntries(countedStates.map((state) => [state, 0])) as ProfileCounts;

async function countAll(deps: InventoryFiguresDeps): Promise<ReadonlyMap<string, ProfileCounts>> {
  const counted = new Map<string, ProfileCounts>();
  const chosen = chosenByName(deps);
  for (const name of deps.config.current().inventories.keys()) {
    counted.set(name, await countOne(name, chosen, deps));
  }
  return counted;
}

async function countOne(
  inventory: string,
  chosen: ChosenByName,
  deps: InventoryFiguresDeps,
): Promise<ProfileCounts> {
  const { inventories, gate, bindings } = deps;
  const counts = { ...none };
  // What is pending isn’t known while locked.
  const pending: typeof bindings.pending = (...entry) => (gate() ? null : bindings.pending(...entry));
  const lookup = { ...deps, bindings: { pending } };
  let count = 0;
  for (const profile of [...inventories.profilesOf(inventory)]) {
    count += 1;
    if (count % rowsPerTurn === 0) {
      await nextTurn();
    }
    const row = profileRow(profile, chosen, lookup);
    if (row !== null) {
      counts[row.state] += 1;
    }
  }
  // Before the first list nothing is gone: nothing is known yet.
  if (inventories.state(inventory)?.lastSyncAt !== null) {
    counts.gone = [...chosen.values()].filter(
      (each) => each.inventory === inventory && each.chosen !== 'no' && inventories.profile(each) === null,
    ).length;
  }
  return counts;
}
