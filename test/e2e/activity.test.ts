import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { linkDockerHelper } from '../support/docker-helper.ts';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, Stage } from '../support/stage.ts';
import { appStart } from './support/app-start.ts';
import { axeFindings } from './support/axe.ts';
import { openPage } from './support/open-page.ts';
import { savedFile } from './support/saved-file.ts';
import { sharedChromium } from './support/shared-chromium.ts';

/** The row of a program's calls for something. */
const row = (page: Page, program: string, target: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell', { name: program }) })
    .filter({ has: page.getByRole('gridcell', { name: target, exact: true }) })
    .first();

let stage: Stage;
let browser: Browser;
let kubeconfig: string;
const kubectl = findKubectls().newest;
const pods = (cluster: string) => stage.kubectl(kubectl, kubeconfig, ['--context', cluster, 'get', 'pods']);

beforeAll(async () => {
  stage = await Stage.open({ startAgent: appStart });
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig();
  browser = await sharedChromium();
  mustBeGood(await pods('prod-bot'));
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await stage?.dispose();
});

test('shows the past and the present in two pages at the same time', async () => {
  const pages = [await openPage(stage, browser, '/activity'), await openPage(stage, browser, '/activity')];
  for (const page of pages) {
    await row(page, 'kubectl', 'prod-bot').getByText('Issued').waitFor();
  }
  mustBeGood(await pods('prod-ops'));
  for (const page of pages) {
    await row(page, 'kubectl', 'prod-ops').getByText('Issued').waitFor();
  }
});

test('shows what concerns one inventory alone', async () => {
  const file = stage.home.write('profiles.yaml', '');
  // Pending approval.
  const added = ['inventory', 'add', 'fleet', '--file', file, '--provider', 'robots=bot', '--yes'];
  expect(await stage.lanyard(added)).toMatchObject({ code: 20 });
  const page = await openPage(stage, browser, '/activity?inventory=fleet');
  await page.getByText('Inventory fleet added').waitFor();
  expect(
    await page
      .getByRole('treegrid')
      .getByText(/^Issued/)
      .count(),
  ).toBe(0);
  await page.getByRole('button', { name: /^inventory fleet/ }).click();
  await page
    .getByRole('treegrid')
    .getByText(/^Issued/)
    .first()
    .waitFor();
});

test('shows what docker stored and got, also alone, and its details without a violation of WCAG 2.2 AA', async () => {
  const docker = linkDockerHelper(stage.home);
  mustBeGood(await docker.store('https://ghcr.io', 'alice', 'a-stored-secret'));
  expect(await docker.get('ghcr.io')).toBe('alice:a-stored-secret');
  const page = await openPage(stage, browser, '/activity');
  await page.getByText('entry ghcr.io stored').waitFor();
  const stored = page.getByRole('gridcell', { name: 'stored entry ghcr.io' });
  await stored.waitFor();
  await page.getByRole('combobox', { name: 'Source' }).selectOption('credential helper');
  await page.waitForFunction(() => window.location.hash.includes('door=docker'));
  await row(page, 'kubectl', 'prod-bot').waitFor({ state: 'detached' });
  const grid = page.getByRole('treegrid');
  await stored.waitFor();
  await grid.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByText('Process', { exact: true }).waitFor();
  expect(await grid.textContent()).not.toMatch(/alice|a-stored-secret/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page), colorScheme).toEqual([]);
  }
});

test('shows who it was, one key deeper, and goes from there to the cluster', async () => {
  const page = await openPage(stage, browser, '/clusters/prod-bot');
  await page.getByRole('link', { name: 'Show in Activity' }).click();
  await page.waitForFunction(() => window.location.hash === '#/activity?span=week&cluster=prod-bot');
  await page.getByLabel('Kind').selectOption('calls');
  const grid = page.getByRole('treegrid');
  await grid.waitFor();
  await grid.focus();
  await page.keyboard.press('Home');
  if ((await grid.getByText(/\d+ times/).count()) > 0) {
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.getByText('Process', { exact: true }).waitFor();
  expect(await grid.textContent()).toContain('kubectl');
  await page.keyboard.press('Enter');
  await page.getByText('Process', { exact: true }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Open prod-bot' }).click();
  await page.waitForFunction(() => window.location.hash.startsWith('#/clusters/prod-bot'));
});

test('is narrowed by what the address says, and says so where nothing is left', async () => {
  const page = await openPage(stage, browser, '/activity?decision=refused&cluster=prod-bot');
  await page.getByText('No matching events').waitFor();
  await page.getByRole('button', { name: 'Show the last 24 hours' }).click();
  await row(page, 'kubectl', 'prod-bot').waitFor();
  await page.getByLabel('Kind').selectOption('changes');
  await row(page, 'kubectl', 'prod-bot').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => window.location.hash)).toBe('#/activity?kinds=changes');
});

test('stays in order and within sight while much happens at once', async () => {
  const page = await openPage(stage, browser, '/activity?kinds=calls&cluster=prod-bot&span=hour');
  await page.getByRole('treegrid').waitFor();
  const times = () =>
    page
      .getByRole('treegrid')
      .locator('time')
      .evaluateAll((all) => all.map((each) => each.getAttribute('dateTime') ?? ''));
  const shown = async () => Number((await page.locator('footer').textContent())?.match(/(\d+) shown/)?.[1]);
  const before = await shown();
  const many = Array.from({ length: 40 }, () =>
    stage.ask('bot', undefined, { args: ['--cluster', 'prod-bot'] }),
  );
  for (const done of await Promise.all(many)) {
    mustBeGood(done);
  }
  const audit = await stage.lanyard(['audit', '--json', '--cluster', 'prod-bot', '--since', '1h']);
  mustBeGood(audit);
  const calls = audit.stdout
    .trim()
    .split('\n')
    .filter((line) => JSON.parse(line).kind === 'call').length;
  expect(calls).toBeGreaterThanOrEqual(before + 40);
  await expect.poll(shown).toBe(calls);
  const order = await times();
  expect(order).toEqual([...order].sort().reverse());
  // The filter is in the address: the same after it is loaded anew.
  await page.reload();
  await page.getByRole('treegrid').waitFor();
  await expect.poll(shown).toBe(calls);
  expect(await page.getByLabel('Kind').inputValue()).toBe('calls');
});

test('equal neighbours are one row, and are unfolded by key and by click', async () => {
  for (let turn = 0; turn < 3; turn += 1) {
    mustBeGood(await stage.ask('bot', undefined, { args: ['--cluster', 'prod-bot'] }));
  }
  const page = await openPage(stage, browser, '/activity?kinds=calls&cluster=prod-bot&span=hour');
  const grid = page.getByRole('treegrid');
  const folded = grid
    .getByRole('row')
    .filter({ hasText: /\d+ times, \d\d:\d\d/ })
    .first();
  await folded.waitFor();
  const times = Number((await folded.textContent())?.match(/(\d+) times/)?.[1]);
  expect(times).toBeGreaterThanOrEqual(3);
  const ofGroup = () => grid.locator('[aria-level="2"]').count();
  expect(await ofGroup()).toBe(0);
  await grid.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect.poll(ofGroup).toBeGreaterThanOrEqual(3);
  expect(await folded.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(ofGroup).toBe(0);
  await folded.click();
  await expect.poll(ofGroup).toBeGreaterThanOrEqual(3);
  await folded.click();
  await expect.poll(ofGroup).toBe(0);
});

test('is saved as the lines that lanyard audit prints', async () => {
  const page = await openPage(stage, browser, '/activity?kinds=calls');
  await page.getByRole('treegrid').waitFor();
  const { text } = await savedFile(stage.agent, page, () =>
    page.getByRole('button', { name: 'Export' }).click(),
  );
  const saved = text.trim().split('\n').sort();
  const audit = await stage.lanyard(['audit', '--json', '--since', '1d']);
  mustBeGood(audit);
  const printed = audit.stdout
    .trim()
    .split('\n')
    .filter((line) => JSON.parse(line).kind === 'call');
  expect(saved).toEqual(printed.sort());
});
