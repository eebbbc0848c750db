import type { Page } from 'playwright';
import { layoutFindings } from './layout.ts';

/** A window’s width in pixels, and how large texts are: 2 for 200%. */
export interface Size {
  width: number;
  texts: number;
}

export const everySize: readonly Size[] = [
  { width: 900, texts: 1 },
  { width: 1240, texts: 1 },
  { width: 1600, texts: 1 },
  { width: 900, texts: 2 },
  { width: 1240, texts: 2 },
];

/** What can’t be read in windows of these sizes. It is at 1,240 px again afterwards. */
export async function inEachSize(
  page: Page,
  sizes: readonly Size[],
): Promise<{ how: string; cut: string[] }[]> {
  const debug = await page.context().newCDPSession(page);
  const found: { how: string; cut: string[] }[] = [];
  for (const { width, texts } of sizes) {
    // As the browser's own settings do it. A page hears of its media queries by a new width alone.
    await debug.send('Page.setFontSizes', { fontSizes: { standard: 16 * texts, fixed: 13 * texts } });
    await page.setViewportSize({ width: width - 1, height: 780 });
    await page.setViewportSize({ width, height: 780 });
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    found.push({ how: `${width} px, texts at ${100 * texts}%`, cut: await layoutFindings(page) });
  }
  await debug.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
  await page.setViewportSize({ width: 1240, height: 780 });
  await debug.detach();
  return found;
}

/** Nothing of the page waits for an answer. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}
