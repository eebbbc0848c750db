import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { openUiHome, type PageOptions, setLook, type UiHome } from './support/ui-stage.ts';

let ui: UiHome;
beforeAll(async () => {
  ui = await openUiHome();
});
afterAll(() => ui?.dispose());

/** From the first start's invitation into the demo. */
async function openDemo(options: PageOptions): Promise<Page> {
  const { page } = await ui.openPage(options);
  await page.getByRole('button', { name: /try the demo/i }).click();
  await page.getByText('Demo data.').waitFor();
  return page;
}

/** Each place of the page, and what is there once it has come. */
const places: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['/clusters', (page) => page.getByText('staging-us').first().waitFor()],
  [
    '/clusters/prod-eu',
    async (page) => {
      await page.locator('summary', { hasText: 'Renewal history' }).click();
      await page.getByText('Renewed automatically').first().waitFor();
    },
  ],
  ['/clusters/lab-gpu', (page) => page.getByText('The plugin failed: exit 1').first().waitFor()],
  ['/clusters/+new', (page) => page.getByRole('heading', { name: 'Add a cluster' }).waitFor()],
  ['/registries', (page) => page.getByText('*.azurecr.io').first().waitFor()],
  ['/registries/+new', (page) => page.getByRole('heading', { name: 'Add a registry' }).waitFor()],
  ['/registries/ghcr', (page) => page.getByRole('button', { name: 'Remove ghcr' }).waitFor()],
  ['/accounts', (page) => page.getByRole('link', { name: 'corp-cert' }).waitFor()],
  ['/accounts/corp', (page) => page.getByText('f81d4fae-7dec-11d0').waitFor()],
  ['/clusters/gateway', (page) => page.getByRole('tab', { name: 'Requests' }).waitFor()],
  ['/accounts/aws-prod', (page) => page.getByText('AWS keys', { exact: true }).first().waitFor()],
  ['/accounts/lab-sso', (page) => page.getByText('Output').waitFor()],
  [
    '/accounts/vendor-token',
    (page) => page.getByText('lanyard secret set vendor-token/token').first().waitFor(),
  ],
  [
    '/activity',
    (page) =>
      page
        .getByRole('gridcell', { name: /^Issued/ })
        .first()
        .waitFor(),
  ],
  ['/metrics', (page) => page.getByText('Plugins in numbers').first().waitFor()],
  ['/import', (page) => page.getByRole('checkbox', { name: /kind-feature-x/ }).waitFor()],
  ['/settings', (page) => page.getByRole('heading', { name: 'Appearance' }).waitFor()],
];

// Each in one theme, in turn; the long form: in both.
test('every view is alive in the demo, and accessible', async () => {
  const page = await openDemo({});
  const found: string[] = [];
  const themes = ['light', 'dark'] as const;
  for (const [index, [place, there]] of places.entries()) {
    await page.evaluate((to) => {
      window.location.hash = to;
    }, place);
    await there(page);
    expect(await page.getByText('the demo can’t do that').count()).toBe(0);
    for (const theme of isLong ? themes : themes.slice(index % 2).slice(0, 1)) {
      await setLook(page, { theme });
      found.push(...(await accessibilityViolations(page)).map((each) => `${place}, ${theme}: ${each}`));
    }
  }
  expect(found).toEqual([]);
});

test('a change in the demo is pending, and becomes active as if it was approved in a window; then the demo is left', async () => {
  const page = await openDemo({ at: '#/clusters/prod-eu' });
  await page.evaluate(() => {
    window.location.hash = '/clusters/prod-eu';
  });
  const detail = page.getByRole('complementary', { name: 'Cluster prod-eu' });
  await detail.getByRole('tab', { name: 'Settings' }).click();
  await detail.getByLabel('Require approval').selectOption('always');
  await detail.getByRole('button', { name: 'Save' }).click();
  await detail.getByRole('button', { name: 'Review and approve…' }).click();
  await page.getByText('The demo has none', { exact: false }).waitFor();
  await detail.getByRole('heading', { name: 'Pending approval' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Leave the demo' }).click();
  await page.getByRole('button', { name: /try the demo/i }).waitFor();
  expect(await page.getByText('prod-eu').count()).toBe(0);
  expect((await ui.home.lanyard(['cluster', 'list'])).stdout).not.toContain('prod-eu');
});
