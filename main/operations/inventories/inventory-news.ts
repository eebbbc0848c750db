import { createAllowance } from '../../base/allowance.ts';
import type { Disposable } from '../../base/disposables.ts';
import type { PendingChange } from '../../domain/approval/binding.ts';
import { isGone } from '../../domain/inventory/gone-profile.ts';
import type { LoadedConfig } from '../../domain/loaded-config.ts';
import type { Inventories } from '../../inventory/inventories.ts';
import type { UsedProfiles } from '../../inventory/used-profiles.ts';
import type { Gate } from '../../ports/broker-core.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HistoryEvent, Recorder } from '../../ports/history.ts';

export interface InventoryNewsDeps {
  /** With what is pending, and the profiles in use as clusters. */
  config: { current(): Pick<LoadedConfig, 'inventories' | 'clusters'> };
  /** Read only while Lanyard is unlocked. */
  bindings: { changes(): readonly PendingChange[] };
  inventories: Pick<Inventories, 'state' | 'profile'>;
  used: Pick<UsedProfiles, 'current'>;
  gate: Gate;
  recorder: Recorder;
  clock: Pick<Clock, 'boottime' | 'after'>;
}

type InventoryEvent = Extract<HistoryEvent, { kind: 'inventory' }>;

/** What comes within this time, in milliseconds, is one event. Trusted changes are approved by then. */
const quietMilliseconds = 2_000;
/** A fault that is over sooner, in milliseconds, is none to remember: a laptop that wakes, a hub that restarts. */
const faultMilliseconds = 60_000;
/** Who writes profiles could make events without end: so many an inventory at once, and then one every five minutes. */
const allowed = { atOnce: 20, perSecond: 1 / 300 };

/** What was told of one inventory. */
interface Told {
  allowance: ReturnType<typeof createAllowance>;
  /** When its fault began, boottime, and the codes that were told since; null: it has none. */
  fault: { since: number; codes: Set<string> } | null;
  /** Contexts. */
  pending: ReadonlySet<string>;
  gone: ReadonlySet<string>;
}

/**
 * Records changes of inventories: faults of their sources and the end of them, and profiles in use that are pending
 * approval or gone. One event for a burst, with a count; what is over the allowance is in the next one.
 */
export class InventoryNews implements Disposable {
  readonly #deps: InventoryNewsDeps;
  readonly #told = new Map<string, Told>();
  #timer: { at: number; due: Disposable } | null = null;
  #isFirst = true;

  constructor(deps: InventoryNewsDeps) {
    this.#deps = deps;
    this.look();
  }

  /** Something has changed, or may have. */
  look(): void {
    if (this.#isFirst && this.#deps.gate() === null) {
      // What is pending or gone from before was told then.
      this.#isFirst = false;
      this.#settle(true);
    }
    this.#again(quietMilliseconds);
  }

  dispose(): void {
    void this.#timer?.due.dispose();
    this.#timer = null;
  }

  /** In so many milliseconds, or sooner: changes that go on and on don’t put it off. */
  #again(milliseconds: number): void {
    const { clock } = this.#deps;
    const at = clock.boottime() + milliseconds;
    if (this.#timer !== null && this.#timer.at <= at) {
      return;
    }
    this.dispose();
    const due = clock.after(milliseconds, () => {
      this.#timer = null;
      this.#settle(false);
    });
    this.#timer = { at, due };
  }

  /** `silently`: only remembers. */
  #settle(silently: boolean): void {
    const { config, gate } = this.#deps;
    // Sources aren’t read, and what is pending isn’t known.
    if (gate() !== null) {
      return;
    }
    const { inventories } = config.current();
    for (const name of this.#told.keys()) {
      if (!inventories.has(name)) {
        this.#told.delete(name);
      }
    }
    const pending = this.#pending();
    const gone = this.#gone();
    let isLeft = false;
    for (const name of inventories.keys()) {
      const told = this.#toldOf(name);
      const record = (event: Omit<InventoryEvent, 'kind' | 'inventory'>): boolean => {
        if (!silently && !told.allowance.take(1)) {
          isLeft = true;
          return false;
        }
        if (!silently) {
          this.#deps.recorder.record({ kind: 'inventory', inventory: name, ...event });
        }
        return true;
      };
      told.pending = tell('pending', told.pending, pending.get(name) ?? none, record);
      told.gone = tell('gone', told.gone, gone.get(name) ?? none, record);
      isLeft = this.#tellFault(name, told, record) || isLeft;
    }
    if (isLeft) {
      this.#again(faultMilliseconds);
    }
  }

  /** True: there is a fault that isn’t told yet. */
  #tellFault(
    name: string,
    told: Told,
    record: (event: Omit<InventoryEvent, 'kind' | 'inventory'>) => boolean,
  ): boolean {
    const state = this.#deps.inventories.state(name);
    const now = this.#deps.clock.boottime();
    const ofSource = { profiles: 0, context: null };
    if (state?.trouble) {
      const { code } = state.trouble;
      told.fault ??= { since: now, codes: new Set() };
      const isNew = !told.fault.codes.has(code);
      if (
        isNew &&
        now - told.fault.since >= faultMilliseconds &&
        record({ what: 'failing', code, ...ofSource })
      ) {
        told.fault.codes.add(code);
        return false;
      }
      return isNew;
    }
    // While it is read for the first time, or again, nothing is known of it.
    if (state?.kind === 'live' && told.fault !== null) {
      const isTold = told.fault.codes.size > 0;
      if (!isTold || record({ what: 'recovered', code: null, ...ofSource })) {
        told.fault = null;
      }
    }
    return false;
  }

  #toldOf(name: string): Told {
    const found = this.#told.get(name) ?? {
      allowance: createAllowance(allowed, this.#deps.clock),
      fault: null,
      pending: none,
      gone: none,
    };
    this.#told.set(name, found);
    return found;
  }

  #pending(): Map<string, Set<string>> {
    const { config, bindings } = this.#deps;
    const { clusters } = config.current();
    const found = new Map<string, Set<string>>();
    for (const { what, name } of bindings.changes()) {
      const origin = what === 'cluster' ? clusters.get(name)?.origin : undefined;
      if (origin) {
        add(found, origin.inventory, name);
      }
    }
    return found;
  }

  #gone(): Map<string, Set<string>> {
    const { inventories, used } = this.#deps;
    const found = new Map<string, Set<string>>();
    for (const each of used.current()) {
      if (isGone(each, inventories)) {
        add(found, each.inventory, each.contextName);
      }
    }
    return found;
  }
}

const none: ReadonlySet<string> = new Set();

/** What is told now: all of `now`, or less where it may not be recorded yet. */
function tell(
  what: 'pending' | 'gone',
  before: ReadonlySet<string>,
  now: ReadonlySet<string>,
  record: (event: Omit<InventoryEvent, 'kind' | 'inventory'>) => boolean,
): ReadonlySet<string> {
  const fresh = [...now].filter((each) => !before.has(each));
  const [first = null] = fresh;
  const context = fresh.length === 1 ? first : null;
  if (fresh.length === 0 || record({ what, code: null, profiles: fresh.length, context })) {
    return now;
  }
  return new Set([...now].filter((each) => before.has(each)));
}

function add(to: Map<string, Set<string>>, inventory: string, context: string): void {
  const found = to.get(inventory) ?? new Set();
  found.add(context);
  to.set(inventory, found);
}
