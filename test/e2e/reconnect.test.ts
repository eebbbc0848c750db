import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mustBeGood, Stage } from '../support/stage.ts';
import { sharedChromium } from './support/shared-chromium.ts';

let stage: Stage;
let browser: Browser;

beforeAll(async () => {
  stage = await Stage.open();
  browser = await sharedChromium();
});
afterAll(async () => {
  await stage?.dispose();
});

/** The page says what it shows; a cluster's name stands in it once the broker has told its state. */
async function openPage(): Promise<Page> {
  const done = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(done);
  const page = await (await browser.newContext()).newPage();
  await page.goto(done.stdout.trim());
  await letsIn(page);
  return page;
}

/** Until the broker has told the page its state: a tab that another one opened has the session before that. */
async function letsIn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  await page.waitForFunction(() => sessionStorage.getItem('lanyard.session') !== null);
}

/** Resolves with the first snapshot of the next connection. */
function nextSnapshot(page: Page): Promise<string> {
  return new Promise((resolve) => {
    const listen = (socket: {
      on(event: 'framereceived', heard: (frame: { payload: string | Buffer }) => void): unknown;
    }) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).startsWith('{"kind":"snapshot"')) {
          page.off('websocket', listen);
          resolve(String(payload));
        }
      });
    page.on('websocket', listen);
  });
}

test('the broker is killed with the page open, and started again: the page recovers automatically', async () => {
  const page = await openPage();
  const session = await page.evaluate(() => sessionStorage.getItem('lanyard.session'));
  const healed = nextSnapshot(page);
  await stage.agent.kill();
  await stage.startAgent();
  expect(await healed).toContain(`"home":${JSON.stringify(stage.home.path)}`);
  expect(await page.evaluate(() => sessionStorage.getItem('lanyard.session'))).toBe(session);
  // A page that is loaded anew comes in as well, without a ticket.
  const reloaded = nextSnapshot(page);
  await page.reload();
  await reloaded;
  await page.context().close();
});

test('the broker stops and starts in good order: the same', async () => {
  const page = await openPage();
  const healed = nextSnapshot(page);
  await stage.agent.stop();
  await stage.startAgent();
  await healed;
  await page.context().close();
});
