import type { Log } from '../../main/ports/log.ts';
import type { AppContents } from '../electron.ts';

/** A page can try any number of times. Logs only some tries, so that it can't fill the disk. */
const loggedLimit = 20;

/**
 * Keeps a page at the document that the app loaded: no navigation, no frames, no new windows. It may only reload its
 * own document. Loads by the app don't cause these events.
 */
export function guardContents(contents: AppContents, log: Log): void {
  let tries = 0;
  const stay = (event: { preventDefault(): void; url: string; isMainFrame: boolean }) => {
    if (!event.isMainFrame || withoutFragment(event.url) !== withoutFragment(contents.getURL())) {
      event.preventDefault();
      tries += 1;
      // Doesn't log the address: it may contain what the page wanted to leak.
      if (tries <= loggedLimit) {
        log.warn('page.navigation', { contents: contents.id, tries });
      }
    }
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  // The app's own responses never redirect.
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('select-bluetooth-device', (event, _devices, choose) => {
    event.preventDefault();
    choose('');
  });
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // CSP doesn't cover WebRTC. Without this, a page could reach the network through it.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

function withoutFragment(url: string): string | undefined {
  return url.split('#', 1)[0];
}
