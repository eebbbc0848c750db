import { createAllowance } from '../../main/base/allowance.ts';
import { loginCalls } from '../../main/contract/ui/calls/logins.ts';
import type { BrokerMessage } from '../../main/contract/ui/messages.ts';
import { openable } from '../../main/platform/browser/openable.ts';
import type { Browser } from '../../main/ports/browser.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { AppContents } from '../electron.ts';

/** The user clicks a link now and then. A page that opens more is broken. */
const links = { atOnce: 4, perSecond: 0.2 };
/** How many addresses of pending logins are remembered. The oldest are dropped first. */
const knownLimit = 32;

/** The links of one window's page. */
export interface PageLinks {
  /** Called with each message of the broker to the page: it may contain an address for the user to open. */
  said(message: BrokerMessage): void;
}

/**
 * Opens a link of the page in the user's browser only if it is https and the broker gave it to the page. A page that
 * was taken over could otherwise leak what it sees in an address, or lead the user to another page. Pages open no
 * windows of the app.
 */
export function openPageLinks(
  contents: Pick<AppContents, 'setWindowOpenHandler'>,
  { browser, clock }: { browser: Pick<Browser, 'open'>; clock: Clock },
): PageLinks {
  const allowance = createAllowance(links, clock);
  const known = new Set<string>();
  contents.setWindowOpenHandler(({ url }) => {
    const address = openable(url);
    if (address?.startsWith('https:') && known.has(address) && allowance.take(1)) {
      void browser.open(address);
    }
    return { action: 'deny' };
  });
  return {
    said(message) {
      for (const address of addressesIn(message)) {
        known.delete(address);
        known.add(address);
        const [oldest] = known;
        if (known.size > knownLimit && oldest !== undefined) {
          known.delete(oldest);
        }
      }
    },
  };
}

/** The provider's pages of a login, as the browser opens them. */
function addressesIn(message: BrokerMessage): string[] {
  const step =
    message.kind === 'progress' ? loginCalls['account.login'].progress.safeParse(message.value) : null;
  if (!step?.success) {
    return [];
  }
  const { data } = step;
  const texts =
    data.shows === 'browserPage'
      ? [data.url]
      : data.shows === 'deviceCode'
        ? [data.verificationUri, data.verificationUriComplete]
        : [];
  return texts.flatMap((text) => openable(text ?? '') ?? []);
}
