import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { StoreApi } from 'zustand/vanilla';
import type { Carrier } from './api/carrier.ts';
import { createContractClient } from './api/contract-client.ts';
import { App } from './app.tsx';
import { DemoSwitch } from './demo/demo-switch.tsx';
import { loadViews } from './routes.tsx';
import { loadPalette } from './shell/page-keys.tsx';
import { type BrokerState, createBrokerStore } from './stores/broker-store.ts';
import './theme/tokens.css';
import './theme/base.css';

const loadAheadMilliseconds = 2000;
/** Since the page began to load: then it says that it is connecting. */
const patienceMilliseconds = 400;

/** Draws the page with the broker’s state, or with what keeps that away. Rejects where it can’t. */
export async function drawPage(carrier: Carrier): Promise<void> {
  const client = createContractClient(carrier, __LANYARD_VERSION__);
  const store = createBrokerStore(client);
  // Only with the development server: ?sample=STATE shows invented data in that state.
  const begin = import.meta.env.DEV ? new URLSearchParams(window.location.search).get('sample') : null;
  // Preloads only after the first view is drawn.
  window.setTimeout(() => window.requestIdleCallback(loadAhead), loadAheadMilliseconds);
  const root = document.getElementById('root');
  if (!root) {
    throw new Error('the document has no root');
  }
  const drawn = createRoot(root);
  await answered(store);
  drawn.render(
    <StrictMode>
      <DemoSwitch real={{ client, store }} begin={begin}>
        <App />
      </DemoSwitch>
    </StrictMode>,
  );
}

/** The broker has sent its state, can’t be reached, or takes its time. */
function answered(store: StoreApi<BrokerState>): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const { version, connection } = store.getState();
      if (version !== null || connection.kind === 'gone' || connection.kind === 'refused') {
        end();
      }
    };
    const leave = store.subscribe(look);
    const timer = window.setTimeout(end, Math.max(0, patienceMilliseconds - performance.now()));
    function end(): void {
      leave();
      window.clearTimeout(timer);
      resolve();
    }
    look();
  });
}

function loadAhead() {
  // After an update of Lanyard this file is no longer there to be loaded.
  import('./api/parse-message.ts').catch(() => undefined);
  loadViews();
  loadPalette();
}
