import Gauge from 'prom-client/lib/gauge.js';
import type Registry from 'prom-client/lib/registry.js';

/** An inventory in numbers. Its name is config.yaml’s, all else Lanyard’s own words. */
export interface MeasuredInventory {
  name: string;
  state: {
    kind: string;
    /** Since the last state that the source confirmed; null: there was none. */
    lagMilliseconds: number | null;
    trouble: { code: string } | null;
  };
  /** By state. */
  profiles: Readonly<Record<string, number>>;
}

export interface InventoryMetricsDeps {
  /** Read at each scrape. */
  inventories(): Promise<readonly MeasuredInventory[]>;
}

/** How inventories are in step with their sources, and what became of their profiles. */
export function createInventoryMetrics({ inventories }: InventoryMetricsDeps, registers: Registry[]): void {
  const gauge = <T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[],
    measure: (
      inventory: MeasuredInventory,
      set: (labels: Partial<Record<T, string>>, value: number) => void,
    ) => void,
  ) =>
    new Gauge({
      name: `lanyard_inventory_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        const all = await inventories();
        this.reset();
        for (const each of all) {
          measure(each, (labels, value) => this.set({ inventory: each.name, ...labels } as never, value));
        }
      },
    });
  gauge(
    'in_sync',
    '1 while the known profiles are those of the inventory’s source',
    ['inventory'],
    ({ state }, set) => set({}, state.kind === 'live' ? 1 : 0),
  );
  gauge(
    'sync_lag_seconds',
    'Seconds since the source last confirmed all known profiles; absent where it never did',
    ['inventory'],
    ({ state: { lagMilliseconds } }, set) => {
      if (lagMilliseconds !== null) {
        set({}, lagMilliseconds / 1_000);
      }
    },
  );
  gauge(
    'trouble',
    '1 with the code of what is wrong with an inventory’s source; absent where nothing is',
    ['inventory', 'code'],
    ({ state: { trouble } }, set) => {
      if (trouble !== null) {
        set({ code: trouble.code }, 1);
      }
    },
  );
  gauge('profiles', 'Profiles of an inventory, by state', ['inventory', 'state'], ({ profiles }, set) => {
    for (const [state, count] of Object.entries(profiles)) {
      set({ state }, count);
    }
  });
}
