import { createStore, type StoreApi } from 'zustand/vanilla';
import { applyEntries, emptyState } from '../../main/contract/ui/apply-entries.ts';
import type { StateEntry } from '../../main/contract/ui/messages.ts';
import type { BrokerView, UiState } from '../../main/contract/ui/state.ts';
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

/**
 * The broker's state in this page. Parts that have not changed stay the same objects. `pageVersion`: what the broker
 * sends that the page came from was parsed by the same schemas, and is taken as it is. One that is started later may be
 * of another build, whatever its version says.
 */
export function createBrokerStore(
  client: Pick<ContractClient, 'start' | 'resync'>,
  pageVersion: string,
): StoreApi<BrokerState> {
  const store = createStore<BrokerState>(() => ({
    connection: { kind: 'connecting' },
    version: null,
    clockOffset: 0,
    sections: emptyState(),
    strange: false,
  }));
  let first: ToldBroker | null = null;
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
      const broker = brokerOf(message.entries, sections);
      first ??= broker;
      const parsed = broker.version === pageVersion && broker.startedAt === first.startedAt;
      const next = applyEntries(sections, message.entries, { whole, parsed });
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

type ToldBroker = Partial<Pick<BrokerView, 'version' | 'startedAt'>>;

/** The broker that these entries tell of, else the one known. */
function brokerOf(entries: readonly StateEntry[], { broker }: UiState): ToldBroker {
  const told = entries.find(([section]) => section === 'broker');
  return told ? Object(told[2]) : (broker[''] ?? {});
}
