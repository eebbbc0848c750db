import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright';
import { expect } from 'vitest';
import { mustBeGood, type Stage } from '../../support/stage.ts';
import { closeWithTest } from './close-with-test.ts';
import { allOf, recordTraffic } from './traffic.ts';
import { asApp } from './windowed-agent.ts';

/** A page of the UI, with all that its carrier said in either direction. */
export interface OpenedPage {
  page: Page;
  /** All messages so far, as text. */
  traffic(): string;
  /** Before the test ends: its document goes. */
  close(): Promise<void>;
}

/** Opens the UI of the stage's broker in a browser of its own, or the app's window, at one of its views. */
export async function openLanyard(
  stage: Stage,
  browser: Browser,
  { hash = '', theme = 'light' }: { hash?: string; theme?: 'light' | 'dark' } = {},
): Promise<OpenedPage> {
  const taken = await asApp(stage.agent)?.takeWindow(browser, { colorScheme: theme });
  if (taken) {
    closeWithTest(() => taken.close());
    await taken.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    return { ...taken, traffic: () => allOf(taken.traffic) };
  }
  const done = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(done);
  // The provider's certificate is of a CA of its own.
  const context = await browser.newContext({
    colorScheme: theme,
    ignoreHTTPSErrors: true,
    permissions: ['clipboard-write'],
  });
  closeWithTest(() => context.close());
  const page = await context.newPage();
  const traffic = recordTraffic(page);
  await page.goto(done.stdout.trim());
  await page.waitForFunction(() => sessionStorage.getItem('lanyard.session') !== null);
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  return { page, traffic: () => allOf(traffic), close: () => context.close() };
}

/** No violation of WCAG 2.2 A and AA in what is shown. */
export async function expectAccessible(page: Page, message?: string): Promise<void> {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Not through a script element: the page's CSP would refuse it.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    // A colour on its way to another one counts as neither.
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) {
        animation.finish();
      }
    }
    const run = (window as unknown as { axe: { run(what: Document, options: object): Promise<AxeResult> } })
      .axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const { violations } = await run.run(document, { runOnly: { type: 'tag', values: tags } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(found, message).toEqual([]);
}

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}
