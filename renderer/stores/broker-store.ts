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
}

/** The broker's state in this page. Parts that have not changed stay the same objects. */
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
    onStrange: () => store.setState({ strange: true }),
    onState(message) {
      const { version, sections, strange } = store.getState();
      if (message.kind === 'delta' && message.from !== version) {
        client.resync();
        return;
      }
      const whole = message.kind === 'snapshot';
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
