import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chosenPoints, isLong, seedInTitle } from '../support/long.ts';
import { rawWordsIn } from '../support/raw-words.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { everySize, inEachSize, type Size, settled } from './support/in-each-size.ts';
import { brokerIsGone } from './support/page-problems.ts';
import { rawWords } from './support/raw-words.ts';
import { type SamplePage, serveSamplePage } from './support/sample-page.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

/**
 * Every view with one cluster and with two thousand, some with names of 80 letters, some in other scripts. The ordinary
 * form has fifteen clusters, and looks at each view in one theme and size.
 */
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
const themes = ['light', 'dark'] as const;
const worlds = [
  { count: 1, sizes: everySize, isSmall: true },
  { count: 15, sizes: everySize, isSmall: isLong },
  { count: 300, sizes: few, isSmall: false },
  { count: 2_000, sizes: few, isSmall: false },
];
/** The first view’s theme and size; the next view has the next ones. */
const first = chosenPoints(themes.length * everySize.length, 1)[0] ?? 0;
const oneOf = <T>(all: readonly T[], index: number) =>
  isLong ? all : all.filter((_, at) => at === (first + index) % all.length);

test.each(isLong ? worlds : worlds.filter(({ count }) => count === 15))(
  `every view with $count clusters${seedInTitle}`,
  async ({ count, sizes, isSmall }) => {
    const { page, problems } = await ui.openAddress('about:blank', { reducedMotion: true });
    problems.allow(brokerIsGone);
    await page.goto(sample.address(`of${count}`));
    const found: string[] = [];
    for (const [index, [at, sign, act]] of views.entries()) {
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
      // The ordinary form has it of the other views in sweep.test.ts.
      if (isSmall || at.startsWith('#/clusters')) {
        for (const [place, theme] of oneOf(themes, index).entries()) {
          await page.emulateMedia({ colorScheme: theme });
          // What it is made of is the same in the other.
          add(theme, await accessibilityViolations(page, place === 0 ? {} : { rules: ['color-contrast'] }));
        }
        await page.emulateMedia({ colorScheme: 'light' });
      }
      for (const { how, cut } of await inEachSize(page, oneOf(sizes, index))) {
        add(how, cut);
      }
    }
    expect(found).toEqual([]);
  },
);

const most = isLong ? 2_000 : 300;

test(`with ${most} clusters, each view and each cluster is reached by keys alone`, async () => {
  const { page, problems } = await ui.openAddress('about:blank', { reducedMotion: true });
  problems.allow(brokerIsGone);
  await page.goto(sample.address(`of${most}`));
  await page.getByRole('grid', { name: 'Clusters' }).waitFor();
  for (const view of ['Inventories', 'Registries', 'Accounts', 'Activity', 'Metrics', 'Settings']) {
    await tabTo(page, view);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: view, level: 1 }).waitFor();
  }
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Search clusters, accounts and actions' });
  await input.fill(`-${most - 1}`);
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toMatch(new RegExp(`#/clusters/.*${most - 1}`));
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
