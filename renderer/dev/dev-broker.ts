import type { CarrierWindow } from '../api/web-socket-carrier.ts';

/** The path at which the development server (scripts/dev.ts) forwards a WebSocket to the broker. */
const path = '/dev-broker';

/**
 * The window of a page from the development server. With `?broker=HOST` in its address it reaches that broker through
 * the server, and signs that broker's name, as the broker's own page would. Not part of a build.
 */
export function devWindow(window: Window & typeof globalThis): CarrierWindow {
  const host = new URLSearchParams(window.location.search).get('broker');
  if (host === null) {
    return window;
  }
  class DevSocket extends window.WebSocket {
    constructor() {
      super(`ws://${window.location.host}${path}`);
    }
  }
  const location = {
    host,
    // Kept when the ticket is removed from the address, so that the page can be reloaded.
    pathname: `${window.location.pathname}${window.location.search}`,
    get hash() {
      return window.location.hash;
    },
  };
  return new Proxy(window, {
    get(target, name) {
      if (name === 'location') {
        return location;
      }
      if (name === 'WebSocket') {
        return DevSocket;
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
