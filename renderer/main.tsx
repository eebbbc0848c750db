import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createContractClient } from './api/contract-client.ts';
import { createElectronCarrier } from './api/electron-carrier.ts';
import { createWebSocketCarrier } from './api/web-socket-carrier.ts';
import { App } from './app.tsx';
import { DemoSwitch } from './demo/demo-switch.tsx';
import { devWindow } from './dev/dev-broker.ts';
import { loadViews } from './routes.tsx';
import { loadPalette } from './shell/page-keys.tsx';
import { createBrokerStore } from './stores/broker-store.ts';
import './theme/tokens.css';
import './theme/base.css';

const loadAheadMilliseconds = 2000;
const { lanyard: bridge } = window;
const client = createContractClient(
  bridge
    ? createElectronCarrier(window, bridge)
    : createWebSocketCarrier(import.meta.env.DEV ? devWindow(window) : window),
);
const store = createBrokerStore(client);
// Only with the development server: ?sample=STATE shows invented data in that state.
const begin = import.meta.env.DEV ? new URLSearchParams(window.location.search).get('sample') : null;
// Preloads only after the first view is drawn.
window.setTimeout(() => window.requestIdleCallback(loadAhead), loadAheadMilliseconds);
function loadAhead() {
  loadViews();
  loadPalette();
}
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
