import type { StateValue } from '../../main/contract/ui/state.ts';
import type { StateSection } from '../../main/contract/ui/state-sections.ts';

/** The clock of the invented world. Tests set their own. */
export interface SampleTime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs a function later. Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

export type SampleChange = {
  [Section in StateSection]: [Section, string, StateValue<Section> | null];
}[StateSection];

/** An invented state that can be changed. Listeners get each change. */
export interface SampleWorld {
  readonly time: SampleTime;
  /** All entries, as in a snapshot. */
  entries(): SampleChange[];
  get<Section extends StateSection>(section: Section, key: string): StateValue<Section> | null;
  list<Section extends StateSection>(section: Section): StateValue<Section>[];
  /** Sets an entry, or removes it (null). */
  set<Section extends StateSection>(section: Section, key: string, value: StateValue<Section> | null): void;
  /** Changes parts of an existing entry. */
  patch<Section extends StateSection>(
    section: Section,
    key: string,
    value: Partial<StateValue<Section>>,
  ): void;
  onChange(listener: (change: SampleChange) => void): void;
  /** Data of handlers that is in no section, made on first use. */
  memory<Value>(key: string, make: () => Value): Value;
}

export function createSampleWorld(time: SampleTime): SampleWorld {
  const tables = new Map<StateSection, Map<string, unknown>>();
  const remembered = new Map<string, unknown>();
  const listeners: ((change: SampleChange) => void)[] = [];
  const tableOf = (section: StateSection) => {
    const table = tables.get(section) ?? new Map<string, unknown>();
    tables.set(section, table);
    return table;
  };
  const world: SampleWorld = {
    time,
    entries: () =>
      [...tables].flatMap(([section, table]) =>
        [...table].map(([key, value]) => [section, key, value] as SampleChange),
      ),
    get: (section, key) => (tableOf(section).get(key) ?? null) as StateValue<typeof section> | null,
    list: (section) => [...tableOf(section).values()] as StateValue<typeof section>[],
    set(section, key, value) {
      if (value === null) {
        tableOf(section).delete(key);
      } else {
        tableOf(section).set(key, value);
      }
      for (const listener of listeners) {
        listener([section, key, value] as SampleChange);
      }
      if (section === 'held' || section === 'appearance') {
        const configRevision = (world.get('broker', '')?.configRevision ?? 0) + 1;
        world.patch('broker', '', { configRevision });
      }
    },
    patch(section, key, value) {
      const before = world.get(section, key);
      if (before !== null) {
        world.set(section, key, { ...before, ...value });
      }
    },
    onChange: (listener) => void listeners.push(listener),
    memory<Value>(key: string, make: () => Value): Value {
      if (!remembered.has(key)) {
        remembered.set(key, make());
      }
      return remembered.get(key) as Value;
    },
  };
  return world;
}
