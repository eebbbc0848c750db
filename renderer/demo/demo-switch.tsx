import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { createContractClient } from '../api/contract-client.ts';
import { createBrokerStore } from '../stores/broker-store.ts';
import { type Broker, BrokerProvider } from '../stores/use-broker.tsx';
import { type Demo, DemoContext } from './use-demo.ts';

/** Gives its children the real broker, or one with invented data while the demo runs. */
export function DemoSwitch({
  real,
  begin = null,
  children,
}: {
  real: Broker;
  /** For development: starts in this state of the demo (renderer/sample/sample-states.ts). */
  begin?: string | null;
  children: ReactNode;
}) {
  const [invented, setInvented] = useState<Invented | null>(null);
  // Ends the demo, whose clock would keep running.
  useEffect(() => () => invented?.stop(), [invented]);
  useEffect(() => {
    if (begin !== null) {
      void load(begin).then(setInvented);
    }
  }, [begin]);
  const demo = useMemo<Demo>(
    () => ({
      running: invented !== null,
      async enter() {
        setInvented(await load('usual'));
        window.location.hash = '#/clusters';
      },
      leave() {
        setInvented(null);
        window.location.hash = '#/clusters';
      },
    }),
    [invented],
  );
  if (begin !== null && invented === null) {
    return null;
  }
  return (
    <DemoContext value={demo}>
      {/* A new key discards the views’ state: a half filled form must not go to the wrong broker. */}
      <BrokerProvider key={demo.running ? 'invented' : 'real'} {...(invented ?? real)}>
        {children}
      </BrokerProvider>
    </DemoContext>
  );
}

interface Invented extends Broker {
  stop(): void;
}

/** Loads the invented broker, a separate part of the page, when the demo starts. */
async function load(state: string): Promise<Invented> {
  const { createSampleCarrier, isSampleState } = await import('../sample/index.ts');
  const carrier = createSampleCarrier(isSampleState(state) ? state : 'usual');
  const client = createContractClient(carrier, __LANYARD_VERSION__);
  return { client, store: createBrokerStore(client), stop: () => carrier.stop() };
}
