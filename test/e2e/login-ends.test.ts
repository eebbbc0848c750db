import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Stage, stagePassphrase } from '../support/stage.ts';
import { createStandInBrowser, type StandInBrowser } from '../support/stand-in-browser.ts';
import { unlock } from '../support/unlock.ts';
import { appStart, isInApp } from './support/app-start.ts';
import { expectNotInPage } from './support/heap.ts';
import { expectAccessible, openLanyard } from './support/opened-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

let stage: Stage;
let browser: Browser;
let display: StandInBrowser;
let skewed: Server;

/** Its clock is an hour behind, and it lets nobody in. */
async function startSkewedProvider(): Promise<Server> {
  const server = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    response.sendDate = false;
    response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
    response.setHeader('content-type', 'application/json');
    response.statusCode = request.method === 'POST' ? 400 : 200;
    response.end(
      JSON.stringify(
        request.method === 'POST'
          ? { error: 'unauthorized_client' }
          : {
              issuer,
              token_endpoint: `${issuer}/token`,
              device_authorization_endpoint: `${issuer}/device`,
              jwks_uri: `${issuer}/keys`,
            },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

beforeAll(async () => {
  display = createStandInBrowser();
  skewed = await startSkewedProvider();
  stage = await Stage.open({
    startAgent: appStart,
    agent: { env: display.env },
    extend: ({ accounts }, parts) => {
      const { provider } = parts;
      const { id } = provider.confidentialClient;
      // OpenID Connect Core, 11: a login in a browser brings a refresh token with this alone.
      const extraParams = { prompt: 'consent' };
      const oidc = (fields: object) => parts.oidcAccount(provider, { extraParams, ...fields });
      const issuer = `http://127.0.0.1:${(skewed.address() as AddressInfo).port}`;
      Object.assign(accounts, {
        corp: oidc({}),
        client: oidc({ clientId: id }),
        skewed: { oidc: { issuer, clientId: 'x', flow: 'device' } },
      });
    },
  });
  browser = await sharedChromium();
});
afterAll(async () => {
  await stage?.dispose();
  skewed?.close();
  display?.dispose();
});
afterEach(async () => {
  for (const context of browser.contexts()) {
    await context.close();
  }
  stage.provider.clearFaults();
  stage.provider.setDiscovery({});
  await stage.lanyard(['logout', 'corp']);
});

const dialogOf = (page: Page, account = 'corp') => page.getByRole('dialog', { name: `Log in to ${account}` });

const corp = async () =>
  (await stage.status()).accounts.find(({ name }: { name: string }) => name === 'corp');

async function atCode(account = 'corp') {
  const opened = await openLanyard(stage, browser, { hash: `#/accounts/${account}` });
  const { page } = opened;
  await page.getByRole('button', { name: /^Log in/ }).click();
  await dialogOf(page, account).getByRole('button', { name: 'Use a device code' }).click();
  await page.locator('output').waitFor();
  return { ...opened, code: (await page.locator('output').textContent()) ?? '' };
}

test('a login in the browser, and a logout everywhere: the tokens are revoked, and the provider’s page opens', async () => {
  // Before the broker asks for the first time: it remembers the answer.
  const end = new URL('/session/end', stage.provider.issuer).href;
  stage.provider.setDiscovery({ end_session_endpoint: end });
  const { page } = await openLanyard(stage, browser, { hash: '#/accounts/corp' });
  const before = display.opened().length;
  await page.getByRole('button', { name: /^Log in/ }).click();
  await dialogOf(page).getByText('Continue in your browser', { exact: false }).waitFor();
  await expect.poll(() => display.opened().length).toBe(before + 1);
  await stage.provider.person.logInAt(display.opened().at(-1) ?? '');
  await page.getByText('Logged in to corp as alice', { exact: false }).waitFor();
  await page.getByText('Yes: it renews automatically').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log out of corp' });
  await dialog.getByLabel('Also log out of the provider in the browser').click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('The provider has revoked its tokens', { exact: false }).waitFor();
  await expect.poll(() => display.opened().at(-1)).toMatch(end);
  expect(display.opened().at(-1)).not.toMatch(/token/);
  expect([...stage.provider.issued].filter((token) => stage.provider.knows(token))).toEqual([]);
});

test('the secret of a client, and all tokens of a login, are nowhere in the page', async () => {
  const { secret } = stage.provider.confidentialClient;
  const input = secret;
  expect((await stage.lanyard(['secret', 'set', 'client/clientSecret'], { input })).code).toBe(0);
  const { page, traffic, code } = await atCode('client');
  await stage.provider.person.approveDevice(code);
  await page.getByText('Logged in to client as alice', { exact: false }).waitFor();
  await page.getByText('Yes: it renews automatically').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByRole('list', { name: 'What the test found' }).waitFor();
  const secrets = [secret, ...stage.provider.issued].filter((each) => each !== code);
  expect(secrets.length).toBeGreaterThan(2);
  await expectNotInPage(page, secrets);
  expect(secrets.filter((each) => traffic().includes(each))).toEqual([]);
});

// The app's window ends with its broker.
test.skipIf(isInApp)(
  'the broker ends while a login waits: the dialog says that nothing comes of it',
  async () => {
    const { page } = await atCode();
    await stage.agent.kill();
    await page.getByText('This login was interrupted', { exact: false }).waitFor();
    expect(await page.locator('output').count()).toBe(0);
    await stage.startAgent();
  },
);

test('locked while a login waits: the code goes, and nothing comes of it', async () => {
  const { page, code } = await atCode();
  expect((await stage.lanyard(['lock'])).code).toBe(0);
  await page.getByRole('heading', { name: /^Locked/ }).waitFor();
  await expect.poll(() => page.locator('output').count()).toBe(0);
  await stage.provider.person.approveDevice(code).catch(() => undefined);
  await unlock(stage.home, stagePassphrase);
  expect((await corp()).subject).toBeNull();
});

test('a session that was interrupted in the middle of a renewal is repaired by one login', async () => {
  const first = await atCode();
  await stage.provider.person.approveDevice(first.code);
  await first.page.getByText('Yes: it renews automatically').waitFor();
  const held = Promise.withResolvers<void>();
  const { page, close } = await openLanyard(stage, browser, { hash: '#/clusters/prod' });
  const before = stage.provider.refreshes.length;
  stage.provider.setFault('token', { kind: 'held', until: held.promise, when: 'after' });
  await page
    .getByRole('button', { name: /^Renew/ })
    .first()
    .click();
  await expect.poll(() => stage.provider.refreshes.length).toBe(before + 1);
  await stage.agent.kill();
  held.resolve();
  stage.provider.clearFaults();
  await close();
  await stage.startAgent();

  const again = await openLanyard(stage, browser, { hash: '#/clusters/prod' });
  await again.page
    .getByRole('button', { name: /^Renew/ })
    .first()
    .click();
  await expect.poll(async () => (await corp()).state).toBe('interrupted');
  await again.page.evaluate(() => {
    location.hash = '#/accounts/corp';
  });
  await again.page.getByText('A renewal was interrupted', { exact: false }).waitFor();
  await expectAccessible(again.page);
  await again.page.getByRole('button', { name: /^Log in/ }).click();
  await dialogOf(again.page).getByRole('button', { name: 'Use a device code' }).click();
  await again.page.locator('output').waitFor();
  await stage.provider.person.approveDevice((await again.page.locator('output').textContent()) ?? '');
  await again.page.getByText('Logged in to corp as alice', { exact: false }).waitFor();
  await again.page.getByText('A renewal was interrupted', { exact: false }).waitFor({ state: 'detached' });
});

test('a clock that is off is said, in a test and on the account’s page', async () => {
  const { page } = await openLanyard(stage, browser, { hash: '#/accounts/skewed' });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  const found = page.getByRole('list', { name: 'What the test found' });
  await found.getByText(/clock is (60 min|1 h) ahead of/).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: /^Log in/ }).click();
  await dialogOf(page, 'skewed').getByRole('alert').waitFor();
  await dialogOf(page, 'skewed').getByRole('button', { name: 'Close', exact: true }).first().click();
  await page.getByText(/This machine’s clock is .* ahead of the provider’s/).waitFor();
});

test('a test is cancelled, and another one is begun', async () => {
  const { page } = await openLanyard(stage, browser, { hash: '#/accounts/corp' });
  await page.getByRole('button', { name: 'Edit' }).click();
  const held = Promise.withResolvers<void>();
  stage.provider.setFault('discovery', { kind: 'held', until: held.promise, when: 'before' });
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('Asking 127.0.0.1', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Cancel the test' }).click();
  stage.provider.clearFaults();
  held.resolve();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  const found = page.getByRole('list', { name: 'What the test found' });
  await found.getByText('answers, and is the issuer', { exact: false }).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel the test' }).count()).toBe(0);
});
