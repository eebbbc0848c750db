import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mustBeGood } from '../support/stage.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

let ui: UiHome;
let page: Page;
/** It takes this password of corp-bot, and lets nobody pull. */
let password = 'right';
let server: Server;
let host: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const expected = `Basic ${Buffer.from(`corp-bot:${password}`).toString('base64')}`;
    const status = request.headers.authorization !== expected ? 401 : request.method === 'HEAD' ? 403 : 200;
    response.writeHead(status, { 'www-authenticate': 'Basic realm="x"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  ui = await openUiHome({
    config: {
      version: 1,
      accounts: {
        bot: { registry: { userName: 'corp-bot' } },
        ops: { registry: {} },
        puller: { registry: { userName: 'corp-bot' } },
      },
      clusters: {},
      registries: {
        ghcr: { matchImages: ['ghcr.io/team'], account: 'bot' },
        lab: { matchImages: ['registry.lab.example:5000'], account: 'ops', calledAs: 'lab' },
        local: { matchImages: [host, '*.example.com'], account: 'puller' },
        quay: { matchImages: ['quay.io/team'], account: 'bot' },
      },
    },
  });
  mustBeGood(await ui.home.lanyard(['secret', 'set', 'puller'], { input: password }));
  ({ page } = await ui.openPage({ height: 1000 }));
  await page.getByRole('link', { name: 'Registries' }).click();
  await page.getByRole('heading', { name: 'Registries', level: 1 }).waitFor();
});
afterAll(async () => {
  await ui?.dispose();
  server?.close();
  server?.closeAllConnections();
});

const grid = () => page.getByRole('grid', { name: 'Registries' });

test('the list shows patterns, account and state, and is searched and walked by keyboard', async () => {
  const row = grid().getByRole('row', { name: /ghcr/ });
  await expect.poll(() => row.textContent()).toMatch(/ghcr\.io\/team.*bot.*Secret missing.*never used/);
  await page.keyboard.press('/');
  await page.keyboard.type('lab.example');
  await expect.poll(() => grid().getByRole('row').count()).toBe(2);
  await page.keyboard.press('Escape');
  await expect.poll(() => grid().getByRole('row').count()).toBe(6);
  await page.keyboard.press('ArrowDown');
  await grid().locator('[aria-selected="true"]', { hasText: 'lab' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'lab', level: 1 }).waitFor();
  await page.getByText('docker-credential-lanyard-lab').waitFor();
  await page.getByRole('heading', { name: 'lab', level: 1 }).click();
  await page.keyboard.press('Escape');
  await grid().waitFor();
});

test('one row sets the secret that several registries need', async () => {
  const need = grid().getByRole('row', { name: /^bot ?: set its secret · 2 registries/ });
  await need.getByRole('button', { name: 'Set secret of bot' }).click();
  await page.getByRole('heading', { name: 'bot', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Registries' }).click();
  // One registry has its own button, in the panel.
  await page.keyboard.press('/');
  await page.keyboard.type('quay');
  await need.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await need.waitFor();
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
  await page.getByText('azure restored').waitFor();
  await grid()
    .getByRole('row', { name: /azure.*Pending approval/ })
    .waitFor();
});

test('Test shows what the registry says of the credential, and of an image', async () => {
  await page.evaluate(() => window.location.assign('#/registries/local'));
  const image = page.getByRole('textbox', { name: 'Image to pull' });
  const run = page.getByRole('button', { name: /^Test/ });
  await run.click();
  await page.getByRole('alert').filter({ hasText: 'cover more than one host' }).waitFor();
  await image.fill(`${host}/team/app:v1`);
  await run.click();
  await page
    .getByText(/accepts the credential of puller, but it may not pull .*team\/app:v1 \(403\)/)
    .waitFor();
  await page.getByText('A credential for the user name corp-bot').waitFor();
  password = 'another';
  await run.click();
  await page.getByText(`${host} rejects the credential of puller (401)`).waitFor();
  await page.getByText('To replace it: lanyard secret set puller').waitFor();
});
