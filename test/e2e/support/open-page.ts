import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { mustBeGood, type Stage } from '../../support/stage.ts';
import type { ElectronAgent } from './electron-agent.ts';

/** Opens the page as `lanyard ui` lets it in, at a view (`/clusters`). */
export async function openPage(
  stage: Pick<Stage, 'agent' | 'lanyard'>,
  browser: Browser,
  path = '/clusters',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const { agent } = stage;
  if ('window' in agent) {
    const window = await (agent as ElectronAgent).window();
    await window.evaluate((hash) => {
      location.hash = hash;
    }, path);
    return window;
  }
  const done = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(done);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  await page.goto(done.stdout.trim());
  await page.waitForFunction(() => sessionStorage.getItem('lanyard.session') !== null);
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, path);
  return page;
}
