import type { Log } from '../../main/ports/log.ts';
import type { AppContents } from '../electron.ts';

/** A page can try as often as it likes: what is logged of it doesn't fill a disk. */
const loggedLimit = 20;

/**
 * A page stays what the app loaded: it navigates nowhere, frames nothing and opens no window. It may only reload its
 * own document. What the app itself loads doesn't come here.
 */
export function guardContents(contents: AppContents, log: Log): void {
  let tries = 0;
  const stay = (event: { preventDefault(): void; url: string; isMainFrame: boolean }) => {
    if (!event.isMainFrame || withoutFragment(event.url) !== withoutFragment(contents.getURL())) {
      event.preventDefault();
      tries += 1;
      // Not where to: the address may hold what the page wanted to carry out.
      if (tries <= loggedLimit) {
        log.warn('page.navigation', { contents: contents.id, tries });
      }
    }
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  // The app's own answers redirect nowhere.
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('select-bluetooth-device', (event, _devices, choose) => {
    event.preventDefault();
    choose('');
  });
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // A CSP knows no WebRTC: without this a page could reach a network by it.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

function withoutFragment(url: string): string | undefined {
  return url.split('#', 1)[0];
}
