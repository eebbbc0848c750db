import { createElectronCarrier } from './api/electron-carrier.ts';
import { startEarly } from './api/start-early.ts';
import { createWebSocketCarrier } from './api/web-socket-carrier.ts';
import { devWindow } from './dev/dev-broker.ts';

/** The page runs, whether or not the broker was asked by then. */
const patienceMilliseconds = 300;

// Small, and before all else: the broker prepares its answer while the browser runs the page’s modules.
const { lanyard: bridge } = window;
const { carrier, asked } = startEarly((onAsked) =>
  bridge
    ? createElectronCarrier(window, bridge, onAsked)
    : createWebSocketCarrier(import.meta.env.DEV ? devWindow(window) : window, onAsked),
);
const late = new Promise((resolve) => window.setTimeout(resolve, patienceMilliseconds));
// It runs as soon as it is there, which may be before the document is (`async`).
const parsed = new Promise<unknown>((resolve) => {
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', resolve, { once: true });
  } else {
    resolve(null);
  }
});
Promise.all([parsed, Promise.race([asked, late])])
  .then(() => import('./page.tsx'))
  .then(({ drawPage }) => drawPage(carrier))
  .catch(() => {
    document.body.append('This page could not be loaded. Reload it.');
  });
