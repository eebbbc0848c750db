import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCa, issueServerCertificate } from '../support/certificates.ts';
import { startKubernetesApi } from '../support/kubernetes-api.ts';
import { Stage } from '../support/stage.ts';
import { showTheme } from './support/accessibility.ts';
import { appStart } from './support/app-start.ts';
import { expectAccessible, openLanyard } from './support/opened-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

const canary = `canary-${randomBytes(16).toString('hex')}`;
let stage: Stage;
let browser: Browser;
let caFile: string;

beforeAll(async () => {
  stage = await Stage.open({ startAgent: appStart });
  browser = await sharedChromium();
  caFile = stage.home.write('provider-ca.pem', stage.provider.caPem ?? '');
  stage.home.write('token', canary);
});
afterAll(async () => {
  await stage?.dispose();
});

/** Goes to a field with the Tab key alone, and types there. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

async function tabTo(page: Page, label: string): Promise<void> {
  const wanted = page
    .getByLabel(label, { exact: true })
    .or(page.getByRole('button', { name: label, exact: true }));
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluateAll((all) => all.includes(document.activeElement as never))) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${label}`);
}

async function startAdding(theme: 'light' | 'dark' = 'light') {
  const opened = await openLanyard(stage, browser, { hash: '#/accounts', theme });
  const { page } = opened;
  await page.getByRole('button', { name: 'Add an account' }).waitFor();
  await tabTo(page, 'Add an account');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Add an account' }).waitFor();
  return opened;
}

const kinds = [
  [
    'new-login',
    'OIDC login',
    [
      ['Issuer', 'https://127.0.0.1:9'],
      ['Client ID', 'kubernetes'],
    ],
    'oidc',
  ],
  [
    'new-certificate',
    'Client certificate',
    [
      ['Certificate file', 'token'],
      ['Key file', 'token'],
    ],
    'clientCertificate',
  ],
  ['new-token', 'Token', [['Token file', 'token']], 'staticToken'],
  [
    'new-plugin',
    'Exec plugin',
    [
      ['Command', 'true'],
      ['Arguments', 'one'],
    ],
    'execPlugin',
  ],
] as const;

test.each(kinds)(
  '%s is added by keyboard alone, tested, and pending until it is approved',
  async (name, kind, fields, key) => {
    const { page, traffic } = await startAdding(key === 'staticToken' ? 'light' : 'dark');
    await tabTo(page, 'Kind');
    await page.keyboard.type(kind);
    await type(page, 'Name', name);
    for (const [label, text] of fields) {
      await type(page, label, text === 'token' ? `${stage.home.path}/token` : text);
    }
    await tabTo(page, 'Test');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'What the test found' }).waitFor();
    await expectAccessible(page);
    await tabTo(page, 'Add');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('Pending approval').first().waitFor();
    expect((await stage.status()).held).toContainEqual(expect.objectContaining({ what: 'account', name }));
    expect(`${await page.content()}${traffic()}`).not.toContain(canary);
  },
);

test('an account without clusters leads to the form of its first', async () => {
  const { page } = await openLanyard(stage, browser, { hash: '#/accounts/new-token' });
  const add = page.getByRole('button', { name: 'Add a cluster' });
  await add.waitFor();
  await expectAccessible(page);
  await add.click();
  const account = page
    .getByRole('complementary', { name: 'A new cluster' })
    .getByLabel('Account', { exact: true });
  await expect.poll(() => account.inputValue()).toBe('new-token');
  // A search of the list beside writes the address anew.
  await page.getByRole('searchbox', { name: 'Search clusters' }).fill('prod');
  expect(await account.inputValue()).toBe('new-token');
});

test('a test says what a provider offers, and what is wrong with one that isn’t there', async () => {
  const { page } = await startAdding();
  await page.getByLabel('Name', { exact: true }).fill('tried');
  await page.getByLabel('Issuer').fill(stage.provider.issuer);
  await page.getByLabel('Client ID').fill('kubernetes');
  await page.getByText('More settings').click();
  await page.getByLabel('Provider’s CA').fill(caFile);
  const test = page.getByRole('button', { name: 'Test', exact: true });
  const found = page.getByRole('list', { name: 'What the test found' });
  await test.click();
  await found.getByText('answers, and is the issuer', { exact: false }).waitFor();
  await found.getByText('register this redirect URI', { exact: false }).waitFor();
  await page.getByLabel('Issuer').fill('http://id.example.com');
  await page.getByText('must be https', { exact: false }).waitFor();
  await page.getByLabel('Issuer').fill('https://127.0.0.1:9');
  await test.click();
  await found.getByRole('img', { name: 'Problem' }).waitFor();
  expect((await stage.status()).accounts.map((each: { name: string }) => each.name)).not.toContain('tried');
});

test('an edit keeps what it doesn’t show, and a removed account is restored, pending', async () => {
  const { page } = await openLanyard(stage, browser, { hash: '#/accounts/new-plugin' });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Arguments').fill('two');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed the account new-plugin.').waitFor();
  const text = () => readFileSync(stage.home.file('config'), 'utf8');
  expect(text()).toContain('two');
  expect(text()).toContain('interactiveMode');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Restore new-plugin' }).waitFor();
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Restored new-plugin to config.yaml.').waitFor();
  expect(text()).toContain('new-plugin');
  expect((await stage.status()).held).toContainEqual(expect.objectContaining({ name: 'new-plugin' }));
});

test('an account that clusters use can’t be removed, and says which', async () => {
  const { page } = await openLanyard(stage, browser, { hash: '#/accounts/corp' });
  await page.getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove corp?' });
  await dialog.getByRole('link', { name: 'prod' }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Remove', exact: true }).count()).toBe(0);
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

test('a first cluster in one go: server, the CA it states, an account that is added on the way', async () => {
  const ca = await createCa('Corp cluster CA');
  const certificate = await issueServerCertificate(ca, ['127.0.0.1']);
  const chainPem = certificate.chainPem + ca.certificatePem;
  const api = await startKubernetesApi({ certificate: { ...certificate, chainPem } });
  try {
    const { page } = await openLanyard(stage, browser, { hash: '#/clusters/+new' });
    await page.setViewportSize({ width: 900, height: 780 });
    const form = page.getByRole('complementary', { name: 'A new cluster' });
    const button = (name: string) => form.getByRole('button', { name, exact: true });
    await button('Test').click();
    await form.getByText('Enter the server’s address').waitFor();
    await form.getByLabel('Server', { exact: true }).fill(api.server);
    await button('Test').click();
    const stated = form.getByRole('region', { name: 'The CA that the server states' });
    await stated.getByText(new X509Certificate(ca.certificatePem).fingerprint256).waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await showTheme(page, theme);
      await expectAccessible(page, theme);
    }
    await stated.getByRole('button', { name: 'Accept this CA' }).click();
    await form.getByText('its certificate is of the CA that you named', { exact: false }).waitFor();

    await button('Add an account…').click();
    const adding = page.getByRole('dialog', { name: 'Add an account' });
    await adding.getByLabel('Kind').selectOption('staticToken');
    await adding.getByLabel('Name', { exact: true }).fill('bot-new');
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await adding.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Account', { exact: true }).inputValue()).toBe('bot-new');

    await form.getByLabel('Name', { exact: true }).fill('lab');
    await button('Add the cluster').click();
    await page.getByRole('heading', { name: 'lab' }).first().waitFor();
    expect((await stage.status()).held.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['bot-new', 'lab']),
    );
    expect(api.requests.filter(({ via }) => via !== 'none')).toEqual([]);
  } finally {
    await api.dispose();
  }
});
