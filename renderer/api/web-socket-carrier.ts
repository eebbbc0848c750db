import type { Carrier } from './carrier.ts';

/** The carrier of the page that the headless broker serves. */
export function createWebSocketCarrier(_window: Window): Carrier {
  return {
    start({ onConnection }) {
      onConnection({ kind: 'connecting' });
    },
    send() {},
    retry() {},
  };
}
