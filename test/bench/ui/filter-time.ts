import { setTimeout as delay } from 'node:timers/promises';
import { type BareBrowser, untilSaid } from './bare-browser.ts';

declare global {
  var lanyardBenchFilter: number[] | undefined;
}

/**
 * What each key in the search of a list takes, in milliseconds: from the key until what is found is in the document and
 * laid out. A letter at a time, then all of it away again.
 */
export async function filterTimes(browser: BareBrowser, address: string, word: string): Promise<number[]> {
  const page = await browser.open(address, '');
  try {
    await untilSaid(
      page,
      'document.querySelectorAll("[role=row][aria-selected]").length > 10 ? true : undefined',
    );
    // What else loads is there, too.
    await delay(1500);
    await page.evaluate(`(${typeWord.toString()})(${JSON.stringify(word)})`);
    return (await page.evaluate('globalThis.lanyardBenchFilter')) as number[];
  } finally {
    await page.close();
  }
}

/** Runs in the page. React draws what a key does before its event is over. */
function typeWord(word: string): void {
  const field = document.querySelector<HTMLInputElement>('input[type=search]');
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  const grid = () => document.querySelector('[role=grid]');
  const texts = [...word, ...word].map((_, index) =>
    index < word.length ? word.slice(0, index + 1) : word.slice(0, 2 * word.length - index - 1),
  );
  globalThis.lanyardBenchFilter = texts.map((text) => {
    const before = grid()?.getAttribute('aria-rowcount');
    const start = performance.now();
    write?.call(field, text);
    field?.dispatchEvent(new InputEvent('input', { bubbles: true }));
    grid()?.getBoundingClientRect();
    const took = performance.now() - start;
    if (grid()?.getAttribute('aria-rowcount') === before && text.length > 1) {
      throw new Error(`the list did not follow “${text}”`);
    }
    return took;
  });
}
