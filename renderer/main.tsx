import './no-eval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createContractClient } from './api/contract-client.ts';
import { createWebSocketCarrier } from './api/web-socket-carrier.ts';
import { App } from './app.tsx';
import { createBrokerStore } from './stores/broker-store.ts';
import { BrokerProvider } from './stores/use-broker.tsx';
import './theme/tokens.css';
import './theme/base.css';

const client = createContractClient(createWebSocketCarrier(window));
const store = createBrokerStore(client);
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <BrokerProvider client={client} store={store}>
        <App />
      </BrokerProvider>
    </StrictMode>,
  );
}
