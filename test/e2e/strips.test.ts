import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityViolations } from './support/accessibility.ts';
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

/** With a pending change, a warning about config.yaml, and new users in the kubeconfig. */
async function open(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  const page = await context.newPage();
  await page.goto(`${sample.address('held')}#/clusters`);
  await strip(page, 'New in your kubeconfig').waitFor({ state: 'attached' });
  return page;
}

const strip = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** How much of a strip can be seen. */
async function heightOf(page: Page, name: string): Promise<number> {
  return (await strip(page, name).boundingBox())?.height ?? 0;
}

const names = ['Pending changes', 'Warnings about config.yaml', 'New in your kubeconfig'];

async function shown(page: Page): Promise<string[]> {
  const heights = await Promise.all(names.map((name) => heightOf(page, name)));
  return names.filter((_, index) => (heights[index] ?? 0) > 1);
}

test('only the most urgent strip is shown, a key opens the others', async () => {
  const page = await open();
  expect(await shown(page)).toEqual(['Pending changes']);
  const more = page.getByRole('button', { name: '+2 more' });
  expect(await more.getAttribute('aria-expanded')).toBe('false');
  await more.focus();
  await page.keyboard.press('Enter');
  const fewer = page.getByRole('button', { name: 'Show fewer' });
  expect(await fewer.getAttribute('aria-expanded')).toBe('true');
  expect(await fewer.evaluate((each) => each === document.activeElement)).toBe(true);
  expect(await shown(page)).toEqual(names);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  expect(await shown(page)).toEqual(['Pending changes']);
  await page.context().close();
});

test('a warning leads to the field that fixes it, and can be dismissed and brought back', async () => {
  const page = await open();
  await page.getByRole('button', { name: '+2 more' }).click();
  await strip(page, 'Warnings about config.yaml').getByRole('button', { name: /^Fix/ }).click();
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Redirect URI' });
  await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('edit');
  await strip(page, 'Warnings about config.yaml')
    .getByRole('button', { name: /^Dismiss/ })
    .click();
  await strip(page, 'Warnings about config.yaml').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  await page.getByRole('button', { name: 'Undo' }).click();
  await strip(page, 'Warnings about config.yaml').waitFor();
  await page.context().close();
});

test('a more urgent one takes the place; the words of the others stay where a screen reader has them', async () => {
  const page = await (await browser.newContext({ viewport: { width: 900, height: 700 } })).newPage();
  const began = Date.now();
  // The sample’s broker goes away 1.5 s after the page came: not before the strip was looked at.
  await page.clock.install({ time: began });
  await page.clock.pauseAt(began + 600_000);
  await page.goto(`${sample.address('gone')}#/clusters`);
  const status = strip(page, 'Pending changes').getByRole('status');
  await status.waitFor();
  const words = await status.elementHandle();
  expect(await strip(page, 'Connection').count()).toBe(0);
  await page.clock.runFor(2000);
  await page.clock.resume();
  await strip(page, 'Connection').waitFor();
  await page.getByRole('button', { name: /^\+\d more$/ }).waitFor();
  expect(await shown(page)).toEqual([]);
  // The same element with the same text: nothing is announced again.
  expect(await words?.evaluate((each) => each.isConnected && each.textContent)).toMatch(/need your approval/);
  // What can’t be seen can’t be focused.
  expect(await strip(page, 'Pending changes').getByRole('button').count()).toBe(0);
  await page.context().close();
});

test('an edit that another program undid is shown with the command that makes it again', async () => {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 } });
  const page = await context.newPage();
  await page.goto(`${sample.address('failing')}#/clusters`);
  await page.getByRole('button', { name: '+1 more' }).click();
  const undone = strip(page, 'Changed by another program');
  await undone.getByText('only Lanyard has the login of ghcr.io').waitFor();
  expect(await undone.locator('code').allTextContents()).toContain('lanyard docker install');
  await undone.getByRole('button', { name: 'Copy this line' }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await context.close();
});
