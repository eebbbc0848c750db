import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawWordsIn } from '../support/raw-words.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { everySize, inEachSize, type Size, settled } from './support/in-each-size.ts';
import { brokerIsGone } from './support/page-problems.ts';
import { rawWords } from './support/raw-words.ts';
import { type SamplePage, serveSamplePage } from './support/sample-page.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

/** Every view with one cluster and with two thousand, some with names of 80 letters, some in other scripts. */
let ui: UiHome;
let sample: SamplePage;

beforeAll(async () => {
  ui = await openUiHome();
  sample = await serveSamplePage();
});
afterAll(async () => {
  await sample?.dispose();
  await ui?.dispose();
});

/** The views, by the part of the address after the world’s, and what is there when they are drawn. */
const views: readonly [at: string, sign: string | RegExp, act?: (page: Page) => Promise<unknown>][] = [
  ['#/clusters', 'Expires'],
  ['#/clusters?group=account', 'Expires'],
  ['#/clusters', 'Expires', selectAll],
  ['#/clusters', 'Expires', (page) => page.keyboard.press('Control+k')],
  ['#/registries', 'Registries'],
  ['#/inventories', 'Inventories'],
  ['#/accounts', 'Accounts'],
  ['#/accounts/corp', 'corp'],
  ['#/activity', 'Activity'],
  ['#/metrics', 'Metrics'],
  ['#/import', 'Import'],
  ['#/settings', 'Settings'],
];

async function selectAll(page: Page): Promise<void> {
  await page.getByRole('grid', { name: 'Clusters' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('region', { name: 'Selected clusters' }).waitFor();
}

const few: readonly Size[] = [
  { width: 900, texts: 1 },
  { width: 1240, texts: 2 },
];
const worlds = [
  { count: 1, sizes: everySize, isSmall: true },
  { count: 15, sizes: everySize, isSmall: true },
  { count: 300, sizes: few, isSmall: false },
  { count: 2_000, sizes: few, isSmall: false },
];

test.each(worlds)(
  'every view with $count clusters',
  async ({ count, sizes, isSmall }) => {
    const { page, problems } = await ui.openAddress('about:blank', { reducedMotion: true });
    problems.allow(brokerIsGone);
    await page.goto(sample.address(`of${count}`));
    const found: string[] = [];
    for (const [at, sign, act] of views) {
      await page.keyboard.press('Escape');
      await page.evaluate(() => window.location.assign('#/settings/nowhere'));
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
      await page.evaluate((to) => window.location.assign(to), at);
      await page.getByText(sign).first().waitFor({ state: 'attached' });
      await settled(page);
      await act?.(page);
      const add = (how: string, each: readonly string[]) =>
        found.push(...each.map((one) => `${at}${act ? ` (${act.name})` : ''}, ${how}: ${one}`));
      add('words', await rawWords(page));
      if (isSmall || at.startsWith('#/clusters')) {
        add('light', await accessibilityViolations(page));
        await page.emulateMedia({ colorScheme: 'dark' });
        add('dark', await accessibilityViolations(page, { rules: ['color-contrast'] }));
        await page.emulateMedia({ colorScheme: 'light' });
      }
      for (const { how, cut } of await inEachSize(page, sizes)) {
        add(how, cut);
      }
    }
    expect(found).toEqual([]);
  },
  240_000,
);

test('with two thousand clusters, each view and each cluster is reached by keys alone', async () => {
  const { page, problems } = await ui.openAddress('about:blank', { reducedMotion: true });
  problems.allow(brokerIsGone);
  await page.goto(sample.address('of2000'));
  await page.getByRole('grid', { name: 'Clusters' }).waitFor();
  for (const view of ['Inventories', 'Registries', 'Accounts', 'Activity', 'Metrics', 'Settings']) {
    await tabTo(page, view);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: view, level: 1 }).waitFor();
  }
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Search clusters, accounts and actions' });
  await input.fill('-1999');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /^#\/clusters\/.*1999/.test(window.location.hash));
});

test('the check of texts finds names of the program and texts of its validator', () => {
  const raw = ['loginNeeded', 'State: secretMissing', 'Invalid input: expected string, received undefined'];
  expect(rawWordsIn(['Log in', ...raw, 'Needs a login'].join('\n'))).toEqual(raw);
});

/** Tab until the focus is at the link of that name; fails after more stops than a page’s frame has. */
async function tabTo(page: Page, name: string): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let stops = 0; stops < 40; stops++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => document.activeElement?.textContent ?? '');
    if (at.startsWith(name)) {
      return;
    }
  }
  throw new Error(`no stop at ${name}`);
}
