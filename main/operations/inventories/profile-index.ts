import { type Disposable, Disposables } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import { isGone } from '../../domain/inventory/gone-profile.ts';
import { noProfiles, type ProfileCounts } from '../../domain/inventory/profile-state.ts';
import type { Inventories } from '../../inventory/inventories.ts';
import type { Gate } from '../../ports/broker-core.ts';
import type { Log } from '../../ports/log.ts';
import { type ProfileRow, type ProfileRowsDeps, profileRows } from './profile-rows.ts';

export interface ProfileIndexDeps extends ProfileRowsDeps {
  /** Read only while Lanyard is unlocked. */
  bindings: ProfileRowsDeps['bindings'] & { changes(): readonly unknown[] };
  inventories: Pick<Inventories, 'profile' | 'profilesOf' | 'state' | 'onChange'>;
  gate: Gate;
  log: Log;
}

export interface InventoryCounts {
  /** Without those that are gone. */
  total: number;
  byState: ProfileCounts;
  /** Of profiles in use, also pending ones, by account. */
  inUseByAccount: ReadonlyMap<string, number>;
}

/** All profiles at one moment. While Lanyard is locked, those pending approval are among those in use. */
export interface ProfileList {
  /** As `profileRows` gives them. */
  rows: readonly ProfileRow[];
  /** By inventory: each of config.yaml. */
  counts: ReadonlyMap<string, InventoryCounts>;
  /** Another list has another number. */
  version: number;
}

/** The profiles as they are listed, made once for each change: thousands take a second to resolve the first time. */
export interface ProfileIndex extends Disposable {
  /** As they are now. */
  read(): Promise<ProfileList>;
  /** The last list made; null: none yet. Where that is out of date, the next is made, and listeners are told. */
  latest(): ProfileList | null;
  onChange(listener: () => void): Disposable;
}

export function createProfileIndex(deps: ProfileIndexDeps): ProfileIndex {
  const { config, used, bindings, inventories, gate, log } = deps;
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
  const now = () => [changes, config.current(), used.current(), gate() ? null : bindings.changes()];
  const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
    a.every((each, index) => each === b[index]);

  async function make(of: readonly unknown[]): Promise<ProfileList> {
    // What is pending isn’t known while locked.
    const pending: typeof bindings.pending = (...entry) => (gate() ? null : bindings.pending(...entry));
    const rows = await profileRows({ ...deps, bindings: { pending } });
    const list = { rows, counts: countsOf(rows, deps), version: (made?.list.version ?? 0) + 1 };
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
    const mine = { of, list: make(of) };
    making = mine;
    const done = () => {
      if (making === mine) {
        making = null;
      }
    };
    mine.list.then(done, done);
    return mine.list;
  }

  return {
    read,
    latest() {
      if (making === null && !(made && isSame(made.of, now()))) {
        read().then(
          () => listeners.tell(),
          (error: unknown) => log.warn('inventories.index', { error: String(error) }),
        );
      }
      return made?.list ?? null;
    },
    onChange: (listener) => listeners.add(listener),
    dispose: () => disposables.dispose(),
  };
}

function countsOf(
  rows: readonly ProfileRow[],
  { config, used, inventories }: ProfileIndexDeps,
): ReadonlyMap<string, InventoryCounts> {
  const counts = new Map(
    [...config.current().inventories.keys()].map((name) => [
      name,
      { total: 0, byState: { ...noProfiles }, inUseByAccount: new Map<string, number>() },
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
  for (const each of used.current()) {
    const count = isGone(each, inventories) ? counts.get(each.inventory) : undefined;
    if (count) {
      count.byState.gone += 1;
    }
  }
  return counts;
}
