import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage } from '../support/stage.ts';
import { appStart } from './support/app-start.ts';
import { expectAccessible, openLanyard } from './support/opened-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

let stage: Stage;
let browser: Browser;

beforeAll(async () => {
  stage = await Stage.open({ startAgent: appStart });
  browser = await sharedChromium();
});
afterAll(async () => {
  await stage?.dispose();
});

async function openForm(theme: 'light' | 'dark'): Promise<Page> {
  const { page } = await openLanyard(stage, browser, { hash: '#/accounts', theme });
  await page.setViewportSize({ width: 900, height: 700 });
  await page.getByRole('button', { name: 'Add an account' }).click();
  await page.getByRole('dialog', { name: 'Add an account' }).waitFor();
  return page;
}

const testButton = (page: Page) => page.getByRole('button', { name: 'Test', exact: true });

test('a test needs no name, its result is in sight, and leads to the field that mends it', async () => {
  const page = await openForm('light');
  await testButton(page).click();
  await page.getByText('Enter the issuer’s address').waitFor();
  expect(await page.getByText('Enter a name').count()).toBe(0);
  await page.getByLabel('Issuer').fill(stage.provider.issuer);
  await page.getByLabel('Client ID').fill('kubernetes');
  await testButton(page).click();
  const found = page.getByRole('list', { name: 'What the test found' });
  const lead = found.getByRole('button', { name: 'Go to Provider’s CA' });
  await lead.waitFor();
  await page.getByText('The test found a problem.').waitFor();
  await found.getByText('Set “Provider’s CA” to the PEM file', { exact: false }).waitFor();
  // It is between the dialog’s head and its foot, without a scroll by hand.
  const foot = await testButton(page).boundingBox();
  const at = await lead.boundingBox();
  expect((at?.y ?? 1e4) + (at?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
  await expectAccessible(page);
  await lead.click();
  const field = page.getByLabel('Provider’s CA');
  await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
  await field.fill(stage.home.write('provider-ca.pem', stage.provider.caPem ?? ''));
  await testButton(page).click();
  await found.getByText('answers, and is the issuer', { exact: false }).waitFor();
});

test('a command that the search path lacks is offered from where one user installed it', async () => {
  const folder = join(stage.home.env['HOME'] ?? '', 'bin');
  const program = stage.home.write('aws', '#!/bin/sh\n', 0o755);
  mkdirSync(folder, { recursive: true });
  symlinkSync(program, join(folder, 'aws-of-one-user'));
  const page = await openForm('dark');
  await page.getByLabel('Kind').selectOption('execPlugin');
  await page.getByLabel('Command').fill('aws-of-one-user');
  const offer = page.getByRole('button', { name: 'Add the folder' });
  await offer.waitFor();
  await expectAccessible(page);
  await testButton(page).click();
  const found = page.getByRole('list', { name: 'What the test found' });
  await found.getByText('add its folder to “Search path”', { exact: false }).waitFor();
  await offer.click();
  await offer.waitFor({ state: 'detached' });
  await testButton(page).click();
  await found.getByText(`${folder}/aws-of-one-user ->`, { exact: false }).waitFor();
  expect(await page.getByLabel('Search path').inputValue()).toContain(folder);
});
