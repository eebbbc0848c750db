import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findKubectls } from '../support/kubectl.ts';
import { isLong } from '../support/long.ts';
import { run } from '../support/processes.ts';
import { mustBeGood, Stage } from '../support/stage.ts';
import { appStart, isInApp } from './support/app-start.ts';
import { axeFindings } from './support/axe.ts';
import { openPage } from './support/open-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

let stage: Stage;
let browser: Browser;
let kubeconfig: string;
const kubectl = findKubectls().newest;
const many = isLong ? 1_000 : 150;
const countOf = (part: string) =>
  Array.from({ length: many }, (_, index) => `many-${index + 1}`).filter((name) => name.includes(part))
    .length;

beforeAll(async () => {
  stage = await Stage.open({
    startAgent: appStart,
    extend: ({ clusters }, { api }) => {
      for (let index = 1; index <= many; index++) {
        clusters[`many-${index}`] = { server: api.server, account: 'bot' };
      }
    },
  });
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig();
  browser = await sharedChromium();
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await stage?.dispose();
});

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.locator(`strong[title="${name}"]`) });
const only = (name: string) => `/clusters?q=${name}`;

describe('what needs the user', () => {
  test('comes first, with the one primary button of the screen, which leads to its login', async () => {
    const page = await openPage(stage, browser);
    const first = page.getByRole('row').nth(2);
    expect(await first.textContent()).toContain('prod');
    expect(await page.getByRole('row').nth(1).textContent()).toContain('Needs attention');
    const primary = page.locator('button[class*="primary"]');
    // The panel, whose button it is, comes after the list.
    await primary.waitFor();
    expect(await primary.count()).toBe(1);
    expect(await primary.textContent()).toBe('Log in');
    await primary.click();
    await page.waitForFunction(
      () => window.location.hash.includes('corp') || document.querySelector('[role=dialog]'),
    );
  });

  test('a row’s button selects its row, and the login begins; the panel shows the cluster, with its button', async () => {
    mustBeGood(await stage.lanyard(['logout', 'corp']));
    const page = await openPage(stage, browser, '/clusters?q=prod&sort=name&group=none&at=prod-bot');
    const panel = page.getByRole('complementary', { name: /^Cluster / });
    await panel.getByRole('heading', { name: 'prod-bot' }).waitFor();
    await row(page, 'prod').getByRole('button', { name: 'Log in' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log in to corp' });
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.getByRole('heading', { name: 'prod', exact: true }).waitFor();
    const primary = page.locator('button[class*="primary"]');
    expect(await primary.count()).toBe(1);
    expect(await panel.locator('header').getByRole('button', { name: 'Log in' }).count()).toBe(1);
  });

  test('is good immediately in two pages after a login elsewhere, and needs the user again after a logout', async () => {
    const pages = [
      await openPage(stage, browser, only('prod')),
      await openPage(stage, browser, only('prod')),
    ];
    await stage.logIn();
    for (const page of pages) {
      await row(page, 'prod')
        .getByRole('img', { name: /^(Good|Expiring soon)$/ })
        .waitFor();
    }
    mustBeGood(await stage.lanyard(['logout', 'corp']));
    for (const page of pages) {
      await row(page, 'prod').getByRole('img', { name: 'Needs attention' }).waitFor();
    }
  });
});

describe('one cluster', () => {
  test('says which program requested it and how long it is valid, as soon as kubectl has it', async () => {
    await stage.logIn();
    const page = await openPage(stage, browser, only('prod'));
    mustBeGood(await stage.kubectl(kubectl, kubeconfig, ['--context', 'prod', 'get', 'pods']));
    await row(page, 'prod')
      .getByText(/^kubectl/)
      .first()
      .waitFor({ state: 'attached' });
    expect(await row(page, 'prod').textContent()).toMatch(/\d+ (min|h).*renews (\w{3} )?\d\d:\d\d/);
    await row(page, 'prod').locator('[data-part="current"]').waitFor({ state: 'attached' });
    await row(page, 'prod').locator('[data-part="renewal"]').waitFor({ state: 'attached' });
    expect(await page.locator('footer').textContent()).toMatch(/[1-9]\d* calls? this hour[:,] .*issued/);
  });

  test('is renewed, copied and opened by keys alone', async () => {
    await stage.logIn();
    const page = await openPage(stage, browser);
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('prod-bot');
    await page.getByText('1 found').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('c');
    await page.getByText('Copied').waitFor();
    // What it says it copied: the page itself may not read what is there.
    const line = (await page.getByText(/^kubectl --kubeconfig/).textContent()) ?? '';
    const listed = await run('sh', ['-c', line], { env: stage.home.env });
    mustBeGood(listed);
    const copied = page.getByRole('region', { name: 'Messages' });
    await page.keyboard.press('c');
    await expect.poll(() => page.getByText('Copied').count()).toBe(1);
    const [toast, panel] = [
      await copied.boundingBox(),
      await page.getByRole('complementary', { name: 'Cluster prod-bot' }).boundingBox(),
    ];
    expect((toast?.x ?? 0) + (toast?.width ?? 0)).toBeLessThanOrEqual(panel?.x ?? 0);
    await page.keyboard.press('r');
    await page.getByText('prod-bot is renewed').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /^#\/clusters\/./.test(window.location.hash));
  });

  test('says why it can’t be renewed where only the user can', async () => {
    mustBeGood(await stage.lanyard(['logout', 'corp']));
    const page = await openPage(stage, browser, '/clusters?q=prod&sort=name&group=none');
    await row(page, 'prod').getByRole('img', { name: 'Needs attention' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('r');
    await page
      .getByText(/corp.*login|login.*corp|logged in/i)
      .first()
      .waitFor();
  });
});

describe('by keys alone', () => {
  const looked = (page: Page) =>
    page.evaluate(() => {
      const grid = document.activeElement;
      const row = document.getElementById(grid?.getAttribute('aria-activedescendant') ?? '');
      const { top, bottom } = row?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
      const bounds = grid?.getBoundingClientRect();
      return {
        name: row?.querySelector('strong')?.textContent ?? null,
        inSight: bounds !== undefined && top >= bounds.top && bottom <= bounds.bottom + 2,
      };
    });

  test('a row that page keys reach is visible', async () => {
    const page = await openPage(stage, browser, '/clusters?group=none&sort=name');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await expect.poll(() => looked(page)).toEqual({ name: 'many-1', inSight: true });
    const names = new Set<string | null>();
    for (const key of ['PageDown', 'PageDown', 'PageDown', 'End', 'PageUp', 'ArrowUp']) {
      const before = (await looked(page)).name;
      await page.keyboard.press(key);
      await expect.poll(async () => (await looked(page)).name).not.toBe(before);
      await expect.poll(async () => (await looked(page)).inSight).toBe(true);
      names.add((await looked(page)).name);
    }
    expect(names.size).toBe(6);
  });

  test.each([1280, 900])('opens one and comes back to where it was, %i px wide', async (width) => {
    const page = await openPage(stage, browser, '/clusters?q=prod&sort=name&group=none', {
      viewport: { width, height: 760 },
    });
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await expect.poll(async () => (await looked(page)).name).toBe('prod-ops');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Credential' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Credential' }).waitFor({ state: 'detached' });
    await expect.poll(() => looked(page)).toEqual({ name: 'prod-ops', inSight: true });
    expect(await page.getByRole('searchbox').inputValue()).toBe('prod');
  });

  test('begins a login with L, and leaves it with Esc', async () => {
    mustBeGood(await stage.lanyard(['logout', 'corp']));
    const page = await openPage(stage, browser, '/clusters?q=prod&sort=name&group=none');
    await row(page, 'prod').getByRole('img', { name: 'Needs attention' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('l');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(async () => (await looked(page)).name).toBe('prod');
  });
});

describe(`${many} clusters`, () => {
  test('are rendered only where visible, can be searched, and reached by keys', async () => {
    const page = await openPage(stage, browser, '/clusters?group=none&sort=name');
    const grid = page.getByRole('grid');
    await grid.waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(many + 3 + 1));
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await grid.focus();
    await page.keyboard.press('End');
    await page.getByText('prod-ops').first().waitFor();
    const active = await grid.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).textContent()).toContain('prod-ops');
    await page.keyboard.press('Home');
    await row(page, 'many-1').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('many-13');
    const found = `${countOf('many-13')} found`;
    await page.getByText(found, { exact: true }).waitFor({ state: 'attached' });
    // The address has all of it, as soon as typing stops: the same after it is loaded anew.
    await page.waitForFunction(() => window.location.hash.includes('q=many-13'));
    await page.reload();
    await page.getByText(found, { exact: true }).waitFor({ state: 'attached' });
  });

  test('have their search in the address, in no view that the user left for meanwhile', async () => {
    const page = await openPage(stage, browser, '/clusters');
    const search = page.getByRole('searchbox', { name: 'Search clusters' });
    const hash = () => page.evaluate(() => window.location.hash);
    await search.fill('many-10');
    await row(page, 'many-102').waitFor();
    await expect.poll(hash).toBe('#/clusters?q=many-10');
    await search.fill('many-11');
    await page.evaluate(() => {
      window.location.hash = '/settings';
    });
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.goBack();
    await row(page, 'many-102').waitFor();
    expect(await hash()).toBe('#/clusters?q=many-10');
    await search.fill('many-11');
    await row(page, 'many-112').click();
    await expect.poll(hash).toBe('#/clusters?q=many-11&at=many-112');
  });

  test('have a focus each: none goes to another cluster whose row is drawn in the same element', async () => {
    const page = await openPage(stage, browser, '/clusters?group=none&sort=name&q=many-');
    await page.getByRole('checkbox', { name: 'Select many-2', exact: true }).click();
    await page.getByRole('grid').evaluate((grid) => grid.scrollBy(0, 3_000));
    await row(page, 'many-70').waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest('[role=row]') ?? null)).toBeNull();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
  });

  test('are rendered again only where they change: a call changes its own row', async () => {
    const page = await openPage(stage, browser, '/clusters?group=none&sort=name&q=many-14');
    await row(page, 'many-141').waitFor();
    await page.evaluate(() => {
      const changed = new Set<string>();
      (window as unknown as { changed: Set<string> }).changed = changed;
      const grid = document.querySelector('[role=grid]') as Element;
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          // Seconds pass, and lanes come when they come.
          if (element?.closest('svg') || /^\d+ (s|min) ago/.test(target.nodeValue ?? '')) {
            continue;
          }
          changed.add(element?.closest('[role=row]')?.querySelector('strong')?.textContent ?? 'elsewhere');
        }
      }).observe(grid, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    // Its server's certificate is of no CA that it knows: what counts is that it asked.
    await stage.kubectl(kubectl, kubeconfig, ['--context', 'many-141', 'get', 'pods']);
    await row(page, 'many-141')
      .getByText(/^kubectl/)
      .first()
      .waitFor({ state: 'attached' });
    const changed = await page.evaluate(() => [...(window as unknown as { changed: Set<string> }).changed]);
    expect(changed).toEqual(['many-141']);
  });
});

// The app reads its files from the disk.
test.skipIf(isInApp)('the list needs what the document names, each once, and nothing else', async () => {
  const done = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(done);
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('[role=row][aria-selected]')) {
        observer.disconnect();
        const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
        (window as unknown as { loaded: string[] }).loaded = loaded;
      }
    });
    observer.observe(document, { subtree: true, childList: true });
  });
  await page.goto(done.stdout.trim());
  await page.getByRole('row').nth(5).waitFor();
  const loaded = await page.evaluate(() => (window as unknown as { loaded: string[] }).loaded);
  const html = await (await fetch(new URL('/', page.url()))).text();
  const named = [...html.matchAll(/"\.(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path);
  expect(loaded.filter((path) => !path.endsWith('.svg')).sort()).toEqual(named.sort());
});

test('a passing second changes only words that differ', async () => {
  mustBeGood(await stage.kubectl(kubectl, kubeconfig, ['--context', 'prod-bot', 'get', 'pods']));
  const page = await openPage(stage, browser, '/clusters?group=none&sort=asked', {
    viewport: { width: 1600, height: 800 },
  });
  await row(page, 'prod-bot')
    .getByText(/\d+ s ago/)
    .waitFor();
  // The rows around those that can be seen are drawn after them.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  const seen = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const found: string[] = [];
        let ticks = 0;
        const observer = new MutationObserver((records) => {
          for (const { type, target, oldValue } of records) {
            const isSame = type === 'characterData' && target.nodeValue === oldValue;
            // The minute moves the lanes, and their drawing comes once their past is loaded.
            const element = target instanceof Element ? target : target.parentElement;
            const isDrawn = type === 'childList' && element?.closest('[class*=_lane_]') != null;
            const isLane = isDrawn || element?.closest('svg') != null;
            if (!isLane) {
              found.push(isSame ? 'written anew' : type);
            }
          }
          ticks += 1;
          if (ticks === 3) {
            observer.disconnect();
            resolve(found);
          }
        });
        observer.observe(document.querySelector('[role=grid]') as Element, {
          subtree: true,
          childList: true,
          characterData: true,
          characterDataOldValue: true,
          attributes: true,
        });
      }),
  );
  expect(new Set(seen)).toEqual(new Set(['characterData']));
  // Those who asked within this minute: of the stage's own, no other.
  expect(seen.length).toBeLessThanOrEqual(3 * 6);
});

test('has nothing against WCAG 2.2 AA, light and wide, dark and narrow', async () => {
  const page = await openPage(stage, browser, '/clusters');
  await page.getByRole('grid').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 900, height: 700 });
  expect(await axeFindings(page)).toEqual([]);
});
