import { createAllowance } from '../../main/base/allowance.ts';
import { openable } from '../../main/browser/openable.ts';
import type { Browser } from '../../main/ports/browser.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { AppContents } from '../electron.ts';

/** A person clicks a link now and then; a page that opens more than that is broken. */
const links = { atOnce: 4, perSecond: 0.2 };

/** A link of the page opens in the person's browser if it is https; no page opens a window of the app. */
export function openPageLinks(
  contents: Pick<AppContents, 'setWindowOpenHandler'>,
  { browser, clock }: { browser: Pick<Browser, 'open'>; clock: Clock },
): void {
  const allowance = createAllowance(links, clock);
  contents.setWindowOpenHandler(({ url }) => {
    const address = openable(url);
    if (address?.startsWith('https:') && allowance.take(1)) {
      void browser.open(address);
    }
    return { action: 'deny' };
  });
}
