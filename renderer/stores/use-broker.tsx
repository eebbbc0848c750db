import { createContext, type ReactNode, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { ContractClient } from '../api/contract-client.ts';
import type { BrokerState } from './broker-store.ts';

/** What the views need from a broker. */
export interface Broker {
  client: ContractClient;
  store: StoreApi<BrokerState>;
}

const BrokerContext = createContext<Broker | null>(null);

/** Gives the views their broker: the real one, or one with invented data. */
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

/** A part of the state. Renders again only when that part changes. */
export function useBroker<Part>(select: (state: BrokerState) => Part): Part {
  return useStore(useBrokerContext().store, select);
}

/** Changes with config.yaml and with what is approved: for `refreshOn` of a call that reads them. */
export function useConfigRevision(): number | null {
  return useBroker((state) => state.sections.broker['']?.configRevision ?? null);
}

/** The client, for calls. */
export function useClient(): ContractClient {
  return useBrokerContext().client;
}
