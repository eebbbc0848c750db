import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { mustBeGood, type Stage } from '../../support/stage.ts';
import type { ElectronAgent } from './electron-agent.ts';

/** A page that `lanyard ui` opened, with all that its WebSocket said in either direction. */
export interface OpenedPage {
  page: Page;
  /** All messages so far, as text. */
  traffic(): string;
}

/** Opens the UI of the stage's broker in a browser of its own, at one of its views. */
export async function openLanyard(
  stage: Stage,
  browser: Browser,
  { hash = '', theme = 'light' }: { hash?: string; theme?: 'light' | 'dark' } = {},
): Promise<OpenedPage> {
  const { agent } = stage;
  if ('window' in agent) {
    const page = await (agent as ElectronAgent).window();
    page.setDefaultTimeout(8000);
    await page.emulateMedia({ colorScheme: theme });
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    // What crosses there is heard by nobody but the two: test/app holds what is said.
    return { page, traffic: () => '' };
  }
  const done = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(done);
  // The provider's certificate is of a CA of its own.
  const context = await browser.newContext({ colorScheme: theme, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  const messages: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => messages.push(String(payload)));
    socket.on('framesent', ({ payload }) => messages.push(String(payload)));
  });
  await page.goto(done.stdout.trim());
  await page.waitForFunction(() => sessionStorage.getItem('lanyard.session') !== null);
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  return { page, traffic: () => messages.join('\n') };
}

/** No violation of WCAG 2.2 A and AA in what is shown. */
export async function expectAccessible(page: Page): Promise<void> {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Not through a script element: the page's CSP would refuse it.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const run = (window as unknown as { axe: { run(what: Document, options: object): Promise<AxeResult> } })
      .axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const { violations } = await run.run(document, { runOnly: { type: 'tag', values: tags } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
  expect(found).toEqual([]);
}

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}
