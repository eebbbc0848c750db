import { type BareBrowser, untilSaid } from './bare-browser.ts';

/** What the page's own clock said, in milliseconds since its navigation began. */
export interface LoadTimes {
  /** The first rows stood in the document. */
  rows: number;
  /** The selection had moved by a key, and a frame had been made of that. */
  answered: number;
}

declare global {
  var lanyardBenchTimes: LoadTimes | undefined;
}

/**
 * Loads an address in a window of its own with an empty cache, and presses ArrowDown as soon as there are rows. The key is
 * pressed in the page, so that the way from here to the browser isn't counted.
 */
export async function timeLoad(browser: BareBrowser, address: string): Promise<LoadTimes> {
  const page = await browser.open(address, `(${pressWhenThereAreRows.toString()})()`);
  try {
    return (await untilSaid(page, 'globalThis.lanyardBenchTimes')) as LoadTimes;
  } finally {
    await page.close();
  }
}

/** Runs in the page, before its own scripts. */
function pressWhenThereAreRows(): void {
  const selected = () => document.querySelector('[role=row][aria-selected=true]');
  let before: Element | null = null;
  let rows = 0;
  const observer = new MutationObserver(() => {
    const now = selected();
    if (!before && now && document.querySelectorAll('[role=row][aria-selected]').length > 10) {
      before = now;
      rows = performance.now();
      // React hears a key once what it drew is committed: in a task of its own.
      setTimeout(() => {
        const grid = now.closest('[role=grid]');
        grid?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
        );
      });
    } else if (before && now && now !== before) {
      observer.disconnect();
      requestAnimationFrame(() =>
        setTimeout(() => {
          globalThis.lanyardBenchTimes = { rows, answered: performance.now() };
        }),
      );
    }
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
}
