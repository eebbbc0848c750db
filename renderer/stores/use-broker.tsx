import { createContext, type ReactNode, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { ContractClient } from '../api/contract-client.ts';
import type { BrokerState } from './broker-store.ts';

/** What the views stand on. */
export interface Broker {
  client: ContractClient;
  store: StoreApi<BrokerState>;
}

const BrokerContext = createContext<Broker | null>(null);

/** Gives the views their broker: the real one, or one of invented data. */
export function BrokerProvider({ client, store, children }: Broker & { children: ReactNode }) {
  return <BrokerContext value={{ client, store }}>{children}</BrokerContext>;
}

function useBrokerContext(): Broker {
  const broker = useContext(BrokerContext);
  if (!broker) {
    throw new Error('no BrokerProvider above');
  }
  return broker;
}

/** A part of the state: renders again only when that part is another value. */
export function useBroker<Part>(select: (state: BrokerState) => Part): Part {
  return useStore(useBrokerContext().store, select);
}

/** Makes calls. */
export function useClient(): ContractClient {
  return useBrokerContext().client;
}
