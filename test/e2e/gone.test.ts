import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCommand } from '../../main/contract/start-command.ts';
import { type SamplePage, serveSamplePage } from './support/sample-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

let sample: SamplePage;
let browser: Browser;

beforeAll(async () => {
  [sample, browser] = await Promise.all([serveSamplePage(), sharedChromium()]);
});
afterAll(async () => {
  await sample?.dispose();
});

/** The page in the sample’s state `gone`: the broker answers at first, then not any more. */
async function openGone(at: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1240, height: 800 } })).newPage();
  await page.goto(`${sample.address('gone')}${at}`);
  await page.getByText('Can’t reach Lanyard.').waitFor();
  return page;
}

/** Names of the buttons in the view that can be pressed. */
function usable(page: Page): Promise<string[]> {
  return page
    .locator('main button:visible:not(:disabled):not([aria-disabled="true"]):not([role="tab"])')
    .evaluateAll((all) => all.map((each) => (each.ariaLabel ?? each.textContent ?? '').trim()));
}

/** What works without the broker: moving in the page, filters, and what copies texts that are shown. */
const local =
  /^(Close|What the timeline shows|(All|Needs attention|Expiring soon|Failing) \d+|Details|Open.*|Review|Set secret|Copy .*)$/;

const needing: readonly (readonly [at: string, names: readonly string[]])[] = [
  ['#/clusters', ['Log in', 'Add a cluster', 'Import kubeconfig']],
  ['#/clusters/prod-eu', ['Renew now', 'Set as current context', 'Log out']],
  ['#/accounts', ['Add an account']],
  ['#/accounts/corp', ['Edit', 'Remove', 'Log out']],
  ['#/registries', ['Add a registry', 'Import']],
  ['#/settings/security', ['Lock now']],
  ['#/settings/check-up', ['Run checks']],
];

test('what needs the broker is disabled in each view while that is gone, and says why; the strip names the one command that starts it', async () => {
  const page = await openGone('#/clusters');
  for (const [at, names] of needing) {
    await page.evaluate((to) => window.location.assign(to), at);
    for (const name of names) {
      const button = page.locator('main').getByRole('button', { name, exact: true }).first();
      expect(await button.getAttribute('aria-disabled'), `${at} ${name}`).toBe('true');
      expect(await button.getAttribute('title'), `${at} ${name}`).toBe('Can’t reach Lanyard');
    }
    expect(
      (await usable(page)).filter((name) => !local.test(name)),
      at,
    ).toEqual([]);
  }
  expect(await page.getByRole('region', { name: 'Connection' }).locator('code').textContent()).toBe(
    startCommand,
  );
  await page.context().close();
});

test('a disabled button keeps the focus and does nothing; neither does the key of a row', async () => {
  const page = await openGone('#/accounts');
  const add = page.locator('main').getByRole('button', { name: 'Add an account' });
  await add.focus();
  await page.keyboard.press('Enter');
  expect(await add.evaluate((each) => each === document.activeElement)).toBe(true);
  await page.getByRole('link', { name: 'Clusters' }).click();
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('l');
  await page.getByRole('region', { name: 'Messages' }).getByText('Can’t reach Lanyard').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.context().close();
});
