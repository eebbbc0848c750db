import { type StateSection, stateSections, type UiState } from './state.ts';

type Entries = readonly (readonly [string, string, unknown])[];
type Tables = { -readonly [Section in StateSection]?: Record<string, unknown> };

/**
 * The state with what a snapshot (`whole`) or a delta says. What has not changed stays the same object. `strange`: there
 * was something that this side doesn't know.
 */
export function applyEntries(
  before: UiState,
  entries: Entries,
  whole: boolean,
): { sections: UiState; strange: boolean } {
  const changed: Tables = {};
  let strange = false;
  if (whole) {
    for (const section of Object.keys(stateSections) as StateSection[]) {
      changed[section] = table({});
    }
  }
  for (const [name, key, value] of entries) {
    // A section of a newer broker's is none of this page's.
    if (!Object.hasOwn(stateSections, name)) {
      continue;
    }
    const section = name as StateSection;
    const entries = changed[section] ?? table(before[section]);
    changed[section] = entries;
    if (value === null) {
      delete entries[key];
    } else {
      const parsed = stateSections[section].safeParse(value);
      if (parsed.success) {
        entries[key] = parsed.data;
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

/** Without a prototype: keys are names, looked up as an address says them, and `constructor` is one that none may have. */
function table(entries: object): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, entries);
}

/** A snapshot after a break says much that is known: what is the same stays the same object, and isn't drawn anew. */
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
