import { type Disposable, Disposables } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import { type ProfileState, profileState } from '../../contract/ui/calls/inventories.ts';
import type { Inventories } from '../../inventory/inventories.ts';
import type { Log } from '../../ports/log.ts';
import { type ProfileRow, type ProfileRowsDeps, profileRows } from './profile-rows.ts';

export interface ProfileIndexDeps extends ProfileRowsDeps {
  bindings: ProfileRowsDeps['bindings'] & { changes(): readonly unknown[] };
  inventories: Pick<Inventories, 'profilesOf' | 'onChange'>;
  /** Whether rows can be read: Lanyard isn’t locked. */
  isOpen(): boolean;
  log: Log;
}

export interface InventoryCounts {
  total: number;
  byState: Readonly<Record<ProfileState, number>>;
  /** Of profiles in use, by account. */
  inUseByAccount: ReadonlyMap<string, number>;
}

/** All profiles at one moment. */
export interface ProfileList {
  /** As `profileRows` gives them. */
  rows: readonly ProfileRow[];
  /** By inventory: each of config.yaml. */
  counts: ReadonlyMap<string, InventoryCounts>;
  /** Another one has another number. */
  version: number;
}

/** The profiles as they are listed, made once for each change: thousands take a second to resolve the first time. */
export interface ProfileIndex extends Disposable {
  /** As they are now. Throws `vault.locked` while Lanyard is locked. */
  read(): Promise<ProfileList>;
  /** The last list made; null: none yet. Where that is out of date, the next is made, and listeners are told. */
  latest(): ProfileList | null;
  onChange(listener: () => void): Disposable;
}

export function createProfileIndex(deps: ProfileIndexDeps): ProfileIndex {
  const { config, used, bindings, inventories, isOpen, log } = deps;
  const listeners = createListeners();
  const disposables = new Disposables();
  let changes = 0;
  let made: { of: readonly unknown[]; list: ProfileList } | null = null;
  let making: { of: readonly unknown[]; list: Promise<ProfileList> } | null = null;
  disposables.add(
    inventories.onChange(() => {
      changes += 1;
      listeners.tell();
    }),
  );

  /** Each is another object, or number, when it has changed. */
  const now = () => [changes, config.current(), used.current(), bindings.changes()];
  const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
    a.every((each, index) => each === b[index]);

  async function make(of: readonly unknown[]): Promise<ProfileList> {
    const inventoriesNow = [...config.current().inventories.keys()];
    const rows = await profileRows(deps);
    const list = { rows, counts: countsOf(inventoriesNow, rows), version: (made?.list.version ?? 0) + 1 };
    made = { of, list };
    return list;
  }

  function read(): Promise<ProfileList> {
    const of = now();
    if (made && isSame(made.of, of)) {
      return Promise.resolve(made.list);
    }
    if (making && isSame(making.of, of)) {
      return making.list;
    }
    const list = make(of);
    const mine = { of, list };
    making = mine;
    const done = () => {
      if (making === mine) {
        making = null;
      }
    };
    list.then(done, done);
    return list;
  }

  return {
    read,
    latest() {
      if (isOpen() && !(made && isSame(made.of, now())) && making === null) {
        read().then(
          () => listeners.tell(),
          // Locked meanwhile: what is asked for next tells.
          (error: unknown) => log.info('inventories.index', { error: String(error) }),
        );
      }
      return made?.list ?? null;
    },
    onChange: (listener) => listeners.add(listener),
    dispose: () => disposables.dispose(),
  };
}

function countsOf(
  inventories: readonly string[],
  rows: readonly ProfileRow[],
): ReadonlyMap<string, InventoryCounts> {
  const counts = new Map(
    inventories.map((name) => [
      name,
      {
        total: 0,
        byState: Object.fromEntries(profileState.options.map((state) => [state, 0])) as Record<
          ProfileState,
          number
        >,
        inUseByAccount: new Map<string, number>(),
      },
    ]),
  );
  for (const { profile, resolution, state } of rows) {
    const count = counts.get(profile.inventory);
    if (count) {
      count.total += 1;
      count.byState[state] += 1;
      if (resolution.ok && (state === 'inUse' || state === 'pending')) {
        const { account } = resolution.config;
        count.inUseByAccount.set(account, (count.inUseByAccount.get(account) ?? 0) + 1);
      }
    }
  }
  return counts;
}
