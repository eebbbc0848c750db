import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stage } from '../support/stage.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { pressWhenRead, untilAnswered } from './support/press-when-read.ts';
import { openUiStage, type UiStage } from './support/ui-stage.ts';

/** Many accounts: found by what they are for, logged in to from their row, and given what lets a login renew. */
let ui: UiStage;
let stage: Stage;
let page: Page;

beforeAll(async () => {
  ui = await openUiStage({
    extend: (config, own) => {
      config.accounts['short'] = own.oidcAccount(own.provider, { flow: 'device', scopes: ['openid'] });
      for (let number = 0; number < 8; number++) {
        config.accounts[`token-${number}`] = { staticToken: {} };
      }
      config.clusters['payments'] = { server: own.api.server, account: 'token-7' };
    },
  });
  stage = ui.stage;
  await stage.logIn('short');
  ({ page } = await ui.openPage({ height: 900, at: '#/accounts' }));
});
afterAll(() => ui?.dispose());

const names = () => page.getByRole('table').getByRole('rowheader').allTextContents();

test('an account is found by its name, its kind or a cluster that it is for', async () => {
  const search = page.getByRole('searchbox', { name: 'Search the accounts' });
  await search.waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('payments');
  await expect.poll(names).toEqual(['token-7']);
  await search.fill('oidc');
  await expect.poll(async () => (await names()).sort()).toEqual(['corp', 'short']);
  await search.fill('nobody');
  await page.getByText('No account matches').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await search.press('Escape');
  await expect.poll(async () => (await names()).length).toBeGreaterThan(10);
});

test('a login begins in the row of the account that needs one, and nowhere else', async () => {
  const buttons = page.getByRole('table').getByRole('button', { name: /^Log in/ });
  expect(await buttons.allTextContents()).toEqual(['Log in to corp']);
  await buttons.click();
  await page.getByRole('dialog', { name: /corp/ }).waitFor();
  await page.keyboard.press('Escape');
});

test('what a login lacks to renew is added by one button, and approved', async () => {
  await page.getByRole('link', { name: 'short' }).click();
  const add = page.getByRole('button', { name: 'Add offline_access' });
  const window = await ui.ownWindow(() => add.click());
  await window.getByRole('heading', { name: 'Approve this change?' }).waitFor();
  await window.getByText('offline_access').first().waitFor();
  await pressWhenRead(window, 'Approve');
  await untilAnswered(window, 'Change approved');
  await expect.poll(() => page.getByText('openid offline_access').count()).toBe(1);
  expect(await add.count()).toBe(0);
});
