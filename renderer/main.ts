import { createElectronCarrier } from './api/electron-carrier.ts';
import { startEarly } from './api/start-early.ts';
import { createWebSocketCarrier } from './api/web-socket-carrier.ts';
import { devWindow } from './dev/dev-broker.ts';
import './theme/tokens.css';
import './theme/base.css';

/** The page says that it is connecting where the broker takes longer to answer. */
const patienceMilliseconds = 300;

// Small, and before all else: the broker prepares its answer while the browser runs the page’s modules.
const { lanyard: bridge } = window;
const { carrier, asked } = startEarly((onAsked) =>
  bridge
    ? createElectronCarrier(window, bridge, onAsked)
    : createWebSocketCarrier(import.meta.env.DEV ? devWindow(window) : window, onAsked),
);
void Promise.race([asked, new Promise((resolve) => window.setTimeout(resolve, patienceMilliseconds))])
  .then(() => import('./page.tsx'))
  .then(
    ({ drawPage }) => drawPage(carrier),
    () => {
      document.body.append('This page could not be loaded. Reload it.');
    },
  );
