import { createStore, type StoreApi } from 'zustand/vanilla';
import { applyEntries, emptyState } from '../../main/contract/ui/apply-entries.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import type { Connection } from '../api/carrier.ts';
import type { ContractClient } from '../api/contract-client.ts';

export interface BrokerState {
  connection: Connection;
  /** The state's version. Null: no snapshot yet. The last state stays while the broker is away. */
  version: number | null;
  /** How far the broker's wall clock is before (+) or behind (-) this page's, in milliseconds. */
  clockOffset: number;
  sections: UiState;
  /** The broker sent something that this page doesn't know: one of them is newer. */
  strange: boolean;
  /** The page can read nothing of what this broker sends. */
  unreadable: boolean;
}

/** The broker's state in this page. Parts that have not changed stay the same objects. */
export function createBrokerStore(client: Pick<ContractClient, 'start' | 'resync'>): StoreApi<BrokerState> {
  const store = createStore<BrokerState>(() => ({
    connection: { kind: 'connecting' },
    version: null,
    clockOffset: 0,
    sections: emptyState(),
    strange: false,
    unreadable: false,
  }));
  /** What a broker sends first is a snapshot: a delta may be another broker’s. */
  let isBegun = false;
  client.start({
    onConnection(connection) {
      if (connection.kind !== 'open') {
        isBegun = false;
      }
      store.setState({ connection, unreadable: false });
    },
    onStrange: () => store.setState({ strange: true }),
    onUnreadable: () => store.setState({ unreadable: true }),
    onState(message) {
      const { version, sections, strange } = store.getState();
      const whole = message.kind === 'snapshot';
      isBegun ||= whole;
      if (message.kind === 'delta' && (!isBegun || message.from !== version)) {
        client.resync();
        return;
      }
      store.setState({
        version: message.version,
        sections: applyEntries(sections, message.entries, whole),
        strange: strange && !whole,
        ...(whole && { clockOffset: message.now - Date.now() }),
      });
    },
  });
  return store;
}
