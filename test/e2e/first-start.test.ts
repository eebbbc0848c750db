import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { fifteenContexts, placeAws } from '../support/fifteen-contexts.ts';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, Stage } from '../support/stage.ts';
import { createStandInBrowser, type StandInBrowser } from '../support/stand-in-browser.ts';
import { sharedChromium } from './support/shared-chromium.ts';

/**
 * From a kubeconfig of 15 contexts to the first `kubectl get pods`, by mouse and by keyboard. Clicks, key presses and
 * pixels to scroll are counted, and printed.
 */
const { newest } = findKubectls();

let stage: Stage;
let chromium: Browser;
let display: StandInBrowser;
let file: string;

beforeAll(async () => {
  chromium = await sharedChromium();
});
afterEach(async () => {
  await stage?.dispose();
  display?.dispose();
});

/** An empty home, and the kubeconfig where kubectl looks. */
async function openStage(): Promise<void> {
  display = createStandInBrowser();
  const { PATH, ...env } = display.env;
  const programs = join((PATH ?? '').split(':')[0] ?? '', 'bin');
  placeAws(programs);
  stage = await Stage.open({
    agent: { env: { ...env, PATH: `${programs}:${PATH}` } },
    extend: async (config, own) => {
      config.accounts = {};
      config.clusters = {};
      const home = String(own.home.env['HOME']);
      mkdirSync(join(home, '.kube'), { recursive: true, mode: 0o700 });
      file = join(home, '.kube', 'config');
      writeFileSync(file, JSON.stringify(await fifteenContexts(own, { home }), null, 2), { mode: 0o600 });
    },
  });
}

async function openPage(address: string): Promise<Page> {
  const context = await chromium.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1240, height: 900 },
  });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** What the broker opens next in the user’s browser. */
async function nextOpened(known: number): Promise<Page> {
  await expect.poll(() => display.opened().length).toBeGreaterThan(known);
  const address = display.opened()[known] ?? '';
  return openPage(address.startsWith('/') ? `file://${address}` : address);
}

/** The provider’s own page: its clicks are not Lanyard’s. */
async function logInAtProvider(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('alice');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
}

/** How far the button is below what is seen. */
async function pixelsTo(page: Page, name: string): Promise<number> {
  const box = await page.getByRole('button', { name, exact: true }).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return Math.max(0, Math.ceil((box?.y ?? 0) + (box?.height ?? 0) - height));
}

async function expectWorking(page: Page): Promise<void> {
  await page.getByText('kubectl get pods', { exact: true }).waitFor();
  if (newest) {
    mustBeGood(await stage.kubectl(newest, file, ['get', 'pods']));
    mustBeGood(await stage.kubectl(newest, file, ['--context', 'prod-eu-kube-system', 'get', 'pods']));
  }
  const left = readFileSync(file, 'utf8');
  expect(left).not.toContain(stage.botToken);
  // Nobody agreed to go without TLS verification: it is as it was.
  expect(left).toContain('lab-token');
}

test('three clicks, and the provider’s own page', async () => {
  await openStage();
  const started = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(started);
  const page = await openPage(started.stdout.trim());
  let [clicks, pixels] = [0, 0];
  const click = async (where: Page, name: string) => {
    await where.getByRole('button', { name, exact: true }).waitFor();
    if (process.env['SHOT']) console.log(name, await pixelsTo(where, name));
    pixels += await pixelsTo(where, name);
    clicks += 1;
    await where.getByRole('button', { name, exact: true }).click();
  };

  const windows = display.opened().length;
  await click(page, 'Import');
  await click(await nextOpened(windows), 'Approve');
  await page.getByRole('heading', { name: /Now log in/ }).waitFor();
  const pages = display.opened().length;
  await page.getByRole('button', { name: 'Log in' }).first().waitFor();
  await click(page, 'Log in to oidc-corp');
  await logInAtProvider(await nextOpened(pages));
  await expectWorking(page);
  console.log(`first start: ${clicks} clicks, ${pixels} px to scroll`);
  expect(clicks).toBe(3);
});

test('twenty key presses, no typed word', async () => {
  await openStage();
  const started = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(started);
  const page = await openPage(started.stdout.trim());
  let presses = 0;
  /** Tab until the button has the focus, then Enter. */
  const pressOn = async (where: Page, name: string) => {
    const button = where.getByRole('button', { name, exact: true });
    await button.waitFor();
    if (process.env['SHOT'])
      await where.screenshot({ path: `/tmp/shot-${name.replace(/\W/g, '')}.png`, fullPage: false });
    while (!(await button.evaluate((element) => element === document.activeElement))) {
      await where.keyboard.press('Tab');
      presses += 1;
      expect(presses).toBeLessThan(60);
    }
    // The approval window takes no Yes before one can have read it.
    await where.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    await where.keyboard.press('Enter');
    presses += 1;
  };

  const windows = display.opened().length;
  await pressOn(page, 'Import');
  await pressOn(await nextOpened(windows), 'Approve');
  await page.getByRole('heading', { name: /Now log in/ }).waitFor();
  const pages = display.opened().length;
  await pressOn(page, 'Log in to oidc-corp');
  await logInAtProvider(await nextOpened(pages));
  await expectWorking(page);
  console.log(`first start: ${presses} key presses`);
  expect(presses).toBeLessThanOrEqual(20);
});
