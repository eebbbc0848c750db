import { createStore, type StoreApi } from 'zustand/vanilla';
import { type StateSection, stateSections, type UiState } from '../../main/contract/ui/state.ts';
import type { Connection } from '../api/carrier.ts';
import type { ContractClient } from '../api/contract-client.ts';

export interface BrokerState {
  connection: Connection;
  /** The state's version; null: no snapshot yet. What was there stays while the broker is gone. */
  version: number | null;
  /** How far the broker's wall clock is before (+) or behind (-) this page's, in milliseconds. */
  clockOffset: number;
  sections: UiState;
  /** The broker said something that this page doesn't know: one of them is newer. */
  strange: boolean;
}

/** The broker's state as this page has it. What has not changed stays the same object. */
export function createBrokerStore(client: Pick<ContractClient, 'start' | 'resync'>): StoreApi<BrokerState> {
  const store = createStore<BrokerState>(() => ({
    connection: { kind: 'connecting' },
    version: null,
    clockOffset: 0,
    sections: emptyState(),
    strange: false,
  }));
  client.start({
    onConnection: (connection) => store.setState({ connection }),
    onState(message) {
      const { version, sections, strange } = store.getState();
      if (message.kind === 'delta' && message.from !== version) {
        client.resync();
        return;
      }
      const whole = message.kind === 'snapshot';
      const next = applied(sections, message.entries, whole);
      store.setState({
        version: message.version,
        sections: next.sections,
        strange: next.strange || (strange && !whole),
        ...(whole && { clockOffset: message.now - Date.now() }),
      });
    },
  });
  return store;
}

type Entries = readonly (readonly [string, string, unknown])[];
type Tables = { -readonly [Section in StateSection]?: Record<string, unknown> };

function applied(
  before: UiState,
  entries: Entries,
  whole: boolean,
): Pick<BrokerState, 'sections' | 'strange'> {
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

function emptyState(): UiState {
  return Object.fromEntries(
    Object.keys(stateSections).map((section) => [section, table({})]),
  ) as unknown as UiState;
}
