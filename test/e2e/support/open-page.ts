import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { mustBeGood, type Stage } from '../../support/stage.ts';
import { closeWithTest } from './close-with-test.ts';
import { asApp } from './windowed-agent.ts';

/** Opens the page as `lanyard ui` lets it in, or the app's window, at a view (`/clusters`); closed when the test ends. */
export async function openPage(
  stage: Pick<Stage, 'agent' | 'lanyard'>,
  browser: Browser,
  path = '/clusters',
  options: BrowserContextOptions = {},
): Promise<Page> {
  return (await openClosable(stage, browser, path, options)).page;
}

/** As `openPage`, of a page that a test closes before it ends. */
export async function openClosable(
  stage: Pick<Stage, 'agent' | 'lanyard'>,
  browser: Browser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; close(): Promise<void> }> {
  const viewport = { width: 1280, height: 800 };
  const taken = await asApp(stage.agent)?.takeWindow(browser, { viewport, ...options });
  if (taken) {
    closeWithTest(() => taken.close());
    await showView(taken.page, path);
    return taken;
  }
  const done = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(done);
  const context = await browser.newContext({
    viewport,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  closeWithTest(() => context.close());
  const page = await context.newPage();
  await page.goto(done.stdout.trim());
  await page.waitForFunction(() => sessionStorage.getItem('lanyard.session') !== null);
  await showView(page, path);
  return { page, close: () => context.close() };
}

async function showView(page: Page, path: string): Promise<void> {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, path);
}
