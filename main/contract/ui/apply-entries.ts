import type { StateEntry } from './messages.ts';
import type { UiState } from './state.ts';
import { type StateSection, stateSectionNames } from './state-sections.ts';

type Tables = { -readonly [Section in StateSection]?: Record<string, unknown> };
const known: ReadonlySet<string> = new Set(stateSectionNames);

/**
 * Applies a snapshot (`whole`) or a delta to the state. Unchanged values stay the same object. The values are parsed:
 * by the broker, and of another build's broker by the page, too.
 */
export function applyEntries(before: UiState, entries: readonly StateEntry[], whole: boolean): UiState {
  const changed: Tables = {};
  if (whole) {
    for (const section of stateSectionNames) {
      changed[section] = table({});
    }
  }
  for (const [name, key, value] of entries) {
    // A newer broker may send sections that this page doesn’t know.
    if (!known.has(name)) {
      continue;
    }
    const section = name as StateSection;
    const entries = changed[section] ?? table(before[section]);
    changed[section] = entries;
    if (value === null) {
      delete entries[key];
    } else {
      entries[key] = value;
    }
  }
  if (whole) {
    keepSame(before, changed);
  }
  return { ...before, ...changed } as UiState;
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
  return Object.fromEntries(stateSectionNames.map((section) => [section, table({})])) as unknown as UiState;
}
