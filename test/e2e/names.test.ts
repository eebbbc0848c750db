import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { accessibilityViolations } from './support/accessibility.ts';
import { openUiStage, type PageOptions, type UiStage } from './support/ui-stage.ts';

/** Names that are hard to tell apart, in every script. With LANYARD_PICTURES, what they look like is kept there. */
let ui: UiStage;
/** For all that only look: each test begins at an address of its own. */
let page: Page;
const pictures = process.env['LANYARD_PICTURES'];

const eks = (account: string, name = 'prod') => `arn:aws:eks:eu-west-1:${account}:cluster/${name}`;
const long = (end: string) => `${'payments-production-europe-'.repeat(3).slice(0, 80 - end.length)}${end}`;
const places: Record<string, object> = {
  [eks('111122223333')]: { server: 'https://A1B2C3D4.gr7.eu-west-1.eks.amazonaws.com' },
  [eks('444455556666')]: { server: 'https://D4E5F6A7.gr7.eu-west-1.eks.amazonaws.com' },
  'gke_acme-dev_europe-west4_main': { server: 'https://34.90.1.7' },
  [long('-blue')]: { labels: { team: 'pay', env: 'prod' } },
  [long('-green')]: { labels: { team: 'data', env: 'prod' } },
  c1: { displayName: 'عنقود-الإنتاج', labels: { team: 'pay' } },
  c2: { displayName: 'Прод: северный кластер' },
  c3: { displayName: '生产环境支付服务集群', aliases: ['zahlung'] },
  'stage-eu': {},
};

beforeAll(async () => {
  ui = await openUiStage({
    extend: (config, { api }) => {
      config.accounts[eks('111122223333')] = { staticToken: {} };
      for (const [name, more] of Object.entries(places)) {
        const account = name.startsWith('arn:') ? eks('111122223333') : 'bot';
        config.clusters[name] = { server: api.server, account, ...more };
      }
      Object.assign(config, {
        appearance: {
          colors: [
            { match: 'env=prod', color: 'red' },
            { match: 'stage*', color: 'yellow' },
            { match: 'Прод*', color: 'purple', text: 'Север' },
          ],
        },
      });
    },
  });
  await ui.stage.setSecrets();
  ({ page } = await ui.openPage({ at: '#/clusters?group=none&sort=name' }));
});
afterAll(() => ui?.dispose());

const row = (page: Page, name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.locator(`strong[title="${name}"], strong[title$=", ${name}"]`) })
    // Not the row of an account that its clusters need.
    .filter({ hasNotText: 'set its secret' });
/** What is to be seen of a name: its head, cut, and its end. */
const seen = (at: Locator) =>
  at.evaluate((element) => (element as HTMLElement).innerText.replace(/\s+/g, ' '));
const shot = async (page: Page, name: string) => {
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  }
};

async function at(hash: string, { width = 1240, theme = 'light' }: PageOptions = {}): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate((to) => window.location.assign(to), hash);
}

describe('the list', () => {
  test.each([900, 1240, 1600])('shows the end of each name, at %d px', async (width) => {
    await at('#/clusters?group=none&sort=name', { width });
    await row(page, 'stage-eu').waitFor();
    for (const account of ['111122223333', '444455556666']) {
      expect(await seen(row(page, eks(account)).locator('strong'))).toContain(account);
    }
    // Whole, however narrow: the last part of the name is within the cell, and the cell within the list.
    for (const name of Object.keys(places)) {
      const strong = row(page, name).locator('strong');
      const inside = await strong.evaluate((element) => {
        const last = element.lastElementChild ?? element;
        const [own, around] = [last, element.closest('[role=gridcell]') ?? element].map((each) =>
          each.getBoundingClientRect(),
        );
        return (
          own !== undefined &&
          around !== undefined &&
          own.right <= around.right + 1 &&
          own.left >= around.left - 1
        );
      });
      expect(inside, name).toBe(true);
    }
    await shot(page, `names-${width}`);
  });

  test('gives names the room before the lane', async () => {
    await at('#/clusters?group=none', { width: 1600 });
    const strong = row(page, long('-blue')).locator('strong');
    await strong.waitFor();
    const cell = row(page, long('-blue')).getByRole('gridcell').nth(2);
    expect((await cell.boundingBox())?.width).toBeGreaterThan(350);
  });

  test('tells a screen reader the whole name', async () => {
    await at('#/clusters?group=none');
    await page.getByRole('row', { name: `prod · 111122223333, ${eks('111122223333')}` }).waitFor();
    await page.getByRole('row', { name: 'عنقود-الإنتاج, c1' }).waitFor();
  });

  test('is searched by labels, aliases and display names; a label of the panel leads there', async () => {
    await at('#/clusters?group=none&sort=name', { width: 1600 });
    const search = page.getByRole('searchbox', { name: 'Search clusters' });
    const names = () =>
      page
        .locator('strong[title]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('title')?.split(', ').at(-1)));
    await search.fill('team=pay');
    await expect.poll(names).toEqual(['c1', long('-blue')].sort((a, b) => b.length - a.length));
    await search.fill('zahlung');
    await expect.poll(names).toEqual(['c3']);
    await search.fill('северный');
    await expect.poll(names).toEqual(['c2']);
    await search.fill('blue');
    await expect.poll(names).toEqual([long('-blue')]);
    await page.getByRole('complementary').getByRole('link', { name: 'env=prod' }).click();
    await expect.poll(async () => (await names()).length).toBe(2);
    await search.fill('');
  });

  test('marks by the user’s rules, with a text', async () => {
    await at('#/clusters?group=none');
    await row(page, long('-blue')).getByText('prod', { exact: true }).waitFor();
    await row(page, 'stage-eu').getByText('stage', { exact: true }).waitFor();
    await row(page, 'c2').getByText('Север', { exact: true }).waitFor();
  });
});

describe('a favourite', () => {
  test('is at the top of every page by a click or a key, and is kept', async () => {
    await at('#/clusters?group=account&sort=name');
    const other = await ui.openPage({ at: '#/clusters?sort=name' });
    await row(page, 'stage-eu').hover();
    await row(page, 'stage-eu').getByRole('button', { name: 'Add to favourites' }).click();
    for (const each of [page, other.page]) {
      await expect.poll(() => seen(each.getByRole('row').nth(1))).toMatch(/^Favourites 1$/i);
      expect(await seen(each.getByRole('row').nth(2))).toContain('stage-eu');
    }
    const { appearance } = parse(readFileSync(ui.home.file('config'), 'utf8'));
    expect(appearance.favorites).toEqual(['stage-eu']);
    expect(appearance.colors).toHaveLength(3);
    await shot(page, 'favourites');
    await page.getByRole('grid').focus();
    await row(page, 'stage-eu').click();
    await page.getByRole('grid').press('f');
    await expect.poll(() => seen(other.page.getByRole('row').nth(1))).not.toMatch(/favourites/i);
  });
});

describe('one cluster', () => {
  test('is shown with its display name, name, mark and labels', async () => {
    await at(`#/clusters/${encodeURIComponent(long('-blue'))}`, { theme: 'dark' });
    const aside = page.getByRole('complementary');
    await aside.getByRole('heading', { name: long('-blue') }).waitFor();
    await aside.getByRole('list', { name: 'Labels' }).getByText('team=pay').waitFor();
    await shot(page, 'cluster-long');
    await at('#/clusters/c1');
    await page.getByRole('heading', { name: 'عنقود-الإنتاج' }).waitFor();
    await aside.getByText('c1', { exact: true }).waitFor();
    await shot(page, 'cluster-arabic');
  });
});

describe('the palette', () => {
  test('tells clusters apart, with their states', async () => {
    await at('#/clusters', { width: 900 });
    await page.keyboard.press('Control+k');
    const input = page.getByRole('combobox', { name: 'Search clusters, accounts and actions' });
    await input.fill('team=pay');
    await expect.poll(() => page.getByRole('option').count()).toBe(2);
    await input.fill('prod');
    await page
      .getByRole('option', { name: eks('444455556666') })
      .first()
      .waitFor();
    await page.getByRole('option').getByRole('img').first().waitFor();
    // With names of all lengths and scripts, and marks.
    expect(await accessibilityViolations(page)).toEqual([]);
    await shot(page, 'palette');
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });
  });
});

describe('accounts', () => {
  test('have short names as well', async () => {
    await at('#/accounts', { theme: 'dark' });
    await page.getByRole('rowheader', { name: eks('111122223333') }).waitFor();
    await shot(page, 'accounts');
  });
});
