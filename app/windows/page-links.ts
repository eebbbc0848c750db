import { createAllowance } from '../../main/base/allowance.ts';
import { loginCalls } from '../../main/contract/ui/calls/logins.ts';
import type { BrokerMessage } from '../../main/contract/ui/messages.ts';
import { openable } from '../../main/platform/browser/openable.ts';
import type { Browser } from '../../main/ports/browser.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { AppContents } from '../electron.ts';

/** A person clicks a link now and then; a page that opens more than that is broken. */
const links = { atOnce: 4, perSecond: 0.2 };
/** Of logins that were under way; the oldest go first. */
const knownLimit = 32;

/** The links of one window's page. */
export interface PageLinks {
  /** What the broker says to the page: it may hold an address that a person is to open. */
  said(message: BrokerMessage): void;
}

/**
 * A link of the page opens in the person's browser if it is https and the broker gave it to the page: one that was taken
 * over could else carry out in an address what it sees, or lead the person to a page of its own. No page opens a window
 * of the app.
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

/** The provider's pages of a login, as they are opened. */
function addressesIn(message: BrokerMessage): string[] {
  const step =
    message.kind === 'progress' ? loginCalls['account.login'].progress.safeParse(message.value) : null;
  if (!step?.success) {
    return [];
  }
  const { data } = step;
  const texts =
    data.shows === 'browserPage' ? [data.url] : [data.verificationUri, data.verificationUriComplete];
  return texts.flatMap((text) => openable(text ?? '') ?? []);
}
