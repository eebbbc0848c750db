import type { StateEntry } from './messages.ts';
import { type StateSection, stateSections, type UiState } from './state.ts';

type Tables = { -readonly [Section in StateSection]?: Record<string, unknown> };

export interface ApplyOptions {
  /** A snapshot: nothing stays of what was before. */
  whole: boolean;
  /** The broker has parsed the values by these same schemas: they are not parsed again. */
  parsed: boolean;
}

/**
 * Applies a snapshot or a delta to the state. Unchanged values stay the same object. `strange`: an entry didn’t fit its
 * schema.
 */
export function applyEntries(
  before: UiState,
  entries: readonly StateEntry[],
  { whole, parsed }: ApplyOptions,
): { sections: UiState; strange: boolean } {
  const changed: Tables = {};
  let strange = false;
  if (whole) {
    for (const section of Object.keys(stateSections) as StateSection[]) {
      changed[section] = table({});
    }
  }
  for (const [name, key, value] of entries) {
    // A newer broker may send sections that this page doesn’t know.
    if (!Object.hasOwn(stateSections, name)) {
      continue;
    }
    const section = name as StateSection;
    const entries = changed[section] ?? table(before[section]);
    changed[section] = entries;
    if (value === null) {
      delete entries[key];
    } else if (parsed) {
      entries[key] = value;
    } else {
      const { success, data } = stateSections[section].safeParse(value);
      if (success) {
        entries[key] = data;
      } else {
        strange = true;
      }
    }
  }
  if (whole) {
    keepSame(before, changed);
  }
  return { sections: { ...before, ...changed } as UiState, strange };
}

/** Without a prototype: pages look up names from an address, and no entry may be found under `constructor`. */
function table(entries: object): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, entries);
}

/**
 * A snapshot repeats much that is known: equal values stay the same object, so that the page doesn’t draw them again.
 */
function keepSame(before: UiState, now: Tables): void {
  for (const section of Object.keys(now) as StateSection[]) {
    const [old, table] = [before[section] as Record<string, unknown>, now[section] ?? {}];
    for (const [key, value] of Object.entries(table)) {
      if (Object.hasOwn(old, key) && JSON.stringify(old[key]) === JSON.stringify(value)) {
        table[key] = old[key];
      }
    }
  }
}

/** The state before the first snapshot. */
export function emptyState(): UiState {
  return Object.fromEntries(
    Object.keys(stateSections).map((section) => [section, table({})]),
  ) as unknown as UiState;
}
