import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isInApp } from './support/app-start.ts';
import { brokerIsGone } from './support/page-problems.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

/** The page's frame, on a real broker: what it says when there is something else to say than the views. */
let ui: UiHome;
/** For what leaves nothing behind in a page. */
let page: Page;

beforeAll(async () => {
  ui = await openUiHome({
    config: {
      version: 1,
      accounts: { bot: { staticToken: {} } },
      clusters: { prod: { server: 'https://10.0.0.1:6443', account: 'bot', insecureSkipTlsVerify: true } },
    },
  });
  const opened = await ui.openPage();
  opened.problems.allow(brokerIsGone);
  ({ page } = opened);
});
afterAll(() => ui?.dispose());

/** A test begins there. */
const at = (hash: string) => page.evaluate((to) => window.location.assign(to), hash);

// The app's window ends with its broker.
test.skipIf(isInApp)(
  'the broker is killed with the page open: the last state stays, the page says what to do, and recovers automatically',
  async () => {
    await at('#/clusters');
    await page.getByRole('heading', { name: 'Clusters' }).waitFor();
    await ui.agent().kill();
    await page.getByText('Can’t reach Lanyard.').waitFor();
    expect(await page.getByRole('heading', { name: 'Clusters' }).isVisible()).toBe(true);
    await ui.startAgent();
    await page.getByText('Can’t reach Lanyard.').waitFor({ state: 'detached' });
  },
);

test('ctrl-k finds a cluster by keyboard alone, Enter opens it, and Esc gives the focus back', async () => {
  await at('#/settings');
  await page.getByRole('link', { name: 'Settings' }).focus();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox', { name: /Search clusters/ });
  await search.waitFor();
  await expect.poll(() => isFocused(page, '[role="combobox"]')).toBe(true);
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  await expect.poll(() => isFocused(page, 'a[href="#/settings"]')).toBe(true);
  await page.keyboard.press('/');
  await search.waitFor();
  await page.keyboard.type('prod');
  await page
    .getByRole('option', { name: /^Needs attention prod/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => window.location.hash)).toBe('#/clusters/prod');
});

test('no letter is lost that is typed while the search opens, and none does anything elsewhere', async () => {
  // The search may not be loaded yet.
  const { page } = await ui.openPage({ at: '#/settings' });
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  // At once, before anything is drawn: as fast as nobody types.
  await page.evaluate(async () => {
    for (const key of ['/', 'p', '?', 'Backspace', 'r', 'o', 'd']) {
      const target = document.activeElement ?? document.body;
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      // What the search’s own field gets is typed there, as by a keyboard.
      if (target.dispatchEvent(event) && target instanceof HTMLInputElement) {
        document.execCommand(key === 'Backspace' ? 'delete' : 'insertText', false, key);
      }
      await new Promise((next) => setTimeout(next));
    }
  });
  const search = page.getByRole('combobox', { name: /Search clusters/ });
  await search.waitFor();
  await expect.poll(() => search.inputValue()).toBe('prod');
  expect(await page.getByRole('dialog').count()).toBe(1);
});

test('? shows the keys; single keys that are turned off do nothing, Ctrl-K does', async () => {
  const { page } = await ui.openPage({ at: '#/settings' });
  await page.getByRole('link', { name: 'Settings' }).focus();
  await page.keyboard.press('?');
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
});

test('? shows the keys from a select, too', async () => {
  await at('#/clusters');
  await page.getByRole('combobox', { name: /sort|order/i }).focus();
  await page.keyboard.press('?');
  const keys = page.getByRole('switch', { name: 'Single-key shortcuts' });
  await keys.waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
});

test.each([
  { what: '640 px wide', width: 640, textZoom: 1 },
  { what: 'texts at 200%', width: 1240, textZoom: 2 },
])('nothing of the frame is cut, $what', async ({ width, textZoom }) => {
  const own = await ui.openPage({ width, textZoom, at: '#/settings' });
  for (const name of ['Clusters', 'Registries', 'Accounts', 'Activity', 'Metrics', 'Settings']) {
    const box = await own.page.getByRole('link', { name }).first().boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= width, name).toBe(true);
  }
  expect(await own.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

test('an address that was used once is rejected, with the line that opens another', async () => {
  const address = await ui.address();
  const first = await ui.openAddress(address);
  await first.page.getByRole('navigation').waitFor();
  const second = await ui.openAddress(address);
  second.problems.allow(/WebSocket/);
  await second.page.getByRole('heading', { name: 'This session has expired' }).waitFor();
  expect(await second.page.getByText('lanyard ui', { exact: true }).isVisible()).toBe(true);
});

test('config.yaml with a mistake: the file and the line are named over every view', async () => {
  await at('#/settings');
  const before = readFileSync(ui.home.file('config'), 'utf8');
  ui.home.writeConfig('version: 1\naccounts:\n  bot: { staticTokn: {} }\n');
  await page
    .getByText(/config\.yaml:\d+/)
    .first()
    .waitFor();
  ui.home.writeConfig(before);
  await page
    .getByText(/config\.yaml:\d+/)
    .first()
    .waitFor({ state: 'detached' });
});

test('locked, the page says how it is opened', async () => {
  await at('#/clusters');
  await page.getByRole('button', { name: 'Lock now' }).click();
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  expect(await page.getByText('lanyard unlock', { exact: true }).isVisible()).toBe(true);
  // Settings are reached also then: doctor is there.
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Locked' }).waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Theme' }).waitFor();
});

function isFocused(page: Page, selector: string): Promise<boolean> {
  return page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
}
