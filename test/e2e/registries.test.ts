import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

let ui: UiHome;
let page: Page;

beforeAll(async () => {
  ui = await openUiHome({
    config: {
      version: 1,
      accounts: { bot: { registry: { userName: 'corp-bot' } }, ops: { registry: {} } },
      clusters: {},
      registries: {
        ghcr: { matchImages: ['ghcr.io/team'], account: 'bot' },
        lab: { matchImages: ['registry.lab.example:5000'], account: 'ops', calledAs: 'lab' },
      },
    },
  });
  ({ page } = await ui.openPage({ height: 900 }));
  page.setDefaultTimeout(15_000);
  await page.getByRole('link', { name: 'Registries' }).click();
  await page.getByRole('heading', { name: 'Registries', level: 1 }).waitFor();
}, 120_000);
afterAll(() => ui?.dispose());

const grid = () => page.getByRole('grid', { name: 'Registries' });

test('the list shows patterns, account and state, and is searched and walked by keyboard', async () => {
  const row = grid().getByRole('row', { name: /ghcr/ });
  await expect.poll(() => row.textContent()).toMatch(/ghcr\.io\/team.*bot.*Secret missing.*never used/);
  await page.keyboard.press('/');
  await page.keyboard.type('lab.example');
  await expect.poll(() => grid().getByRole('row').count()).toBe(2);
  await page.keyboard.press('Escape');
  await expect.poll(() => grid().getByRole('row').count()).toBe(3);
  await page.keyboard.press('ArrowDown');
  await grid().locator('[aria-selected="true"]', { hasText: 'lab' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'lab', level: 1 }).waitFor();
  await page.getByText('docker-credential-lanyard-lab').waitFor();
  await page.getByRole('heading', { name: 'lab', level: 1 }).click();
  await page.keyboard.press('Escape');
  await grid().waitFor();
});

test('tells which credential an image gets, and why', async () => {
  const image = page.getByRole('textbox', { name: 'Image' });
  await image.fill('ghcr.io/team/app:1.2');
  await image.press('Enter');
  await page.getByText('ghcr.io/team/app would get the credential of bot, from the registry ghcr').waitFor();
  await page
    .getByText('Bot has no password yet')
    .or(page.getByText('bot has no password yet'))
    .first()
    .waitFor();
  const reasons = page.getByRole('table', { name: 'Each pattern, and why it is used or not' });
  await reasons.getByRole('row', { name: /^ghcr ghcr.io\/team Used/ }).waitFor();
  await reasons.getByRole('row', { name: /^lab .* No It/ }).waitFor();
  await image.fill('No Image');
  await image.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'image name' }).waitFor();
});

test('a new registry is checked, written, and pending approval; removing it can be undone', async () => {
  await page.getByRole('button', { name: 'Add a registry' }).click();
  await page.getByRole('button', { name: 'Add the registry' }).click();
  await page
    .getByRole('paragraph')
    .filter({ hasText: /^Choose an account/ })
    .waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('azure');
  await page.getByRole('textbox', { name: 'Images' }).fill('*.azurecr.io');
  await page.getByText(/^Anyone can register a name that \*\.azurecr\.io covers/).waitFor();
  await page.getByRole('combobox', { name: 'Account' }).selectOption('bot');
  await page.getByRole('button', { name: 'Add the registry' }).click();
  await page.getByRole('heading', { name: 'azure', level: 1 }).waitFor();
  await page.getByText('It is pending approval.').waitFor();
  expect(readFileSync(ui.home.file('config'), 'utf8')).toContain('*.azurecr.io');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page
    .getByText(/azure.*(pending|approve)/i)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Remove azure' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('azure is back').waitFor();
  await grid()
    .getByRole('row', { name: /azure.*Pending approval/ })
    .waitFor();
});
