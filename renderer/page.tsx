import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Carrier } from './api/carrier.ts';
import { createContractClient } from './api/contract-client.ts';
import { App } from './app.tsx';
import { DemoSwitch } from './demo/demo-switch.tsx';
import { loadViews } from './routes.tsx';
import { loadPalette } from './shell/page-keys.tsx';
import { createBrokerStore } from './stores/broker-store.ts';

const loadAheadMilliseconds = 2000;

/** Draws the page, with what the carrier brings. */
export function drawPage(carrier: Carrier): void {
  const client = createContractClient(carrier, __LANYARD_VERSION__);
  const store = createBrokerStore(client);
  // Only with the development server: ?sample=STATE shows invented data in that state.
  const begin = import.meta.env.DEV ? new URLSearchParams(window.location.search).get('sample') : null;
  // Preloads only after the first view is drawn.
  window.setTimeout(() => window.requestIdleCallback(loadAhead), loadAheadMilliseconds);
  const root = document.getElementById('root');
  if (root) {
    createRoot(root).render(
      <StrictMode>
        <DemoSwitch real={{ client, store }} begin={begin}>
          <App />
        </DemoSwitch>
      </StrictMode>,
    );
  }
}

function loadAhead() {
  loadViews();
  loadPalette();
}
