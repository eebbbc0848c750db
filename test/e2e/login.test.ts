import type { Browser, Locator, Page } from 'playwright';
import { encode } from 'uqr';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Stage } from '../support/stage.ts';
import { appStart } from './support/app-start.ts';
import { expectAccessible, type OpenedPage, openLanyard } from './support/opened-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

let stage: Stage;
let browser: Browser;
/** For all tests: to load a page anew takes a third of what a new one takes. */
let opened: OpenedPage;

beforeAll(async () => {
  stage = await Stage.open({
    startAgent: appStart,
    extend: ({ accounts }, parts) => {
      // OpenID Connect Core, 11: a login in a browser brings a refresh token, and so something to revoke, with this alone.
      const extraParams = { prompt: 'consent' };
      accounts['corp'] = parts.oidcAccount(parts.provider, { flow: 'device', extraParams });
    },
  });
  browser = await sharedChromium();
  opened = await openLanyard(stage, browser, { hash: '#/accounts/corp' });
});
afterAll(async () => {
  await stage?.dispose();
});

afterEach(async () => {
  stage.provider.clearFaults();
  await stage.lanyard(['logout', 'corp']);
});

async function atLogin() {
  await opened.page.reload();
  await opened.page.getByRole('button', { name: /^Log in/ }).click();
  return { ...opened, dialog: opened.page.getByRole('dialog', { name: 'Log in to corp' }) };
}

/** What a person pastes: the page itself may not read the clipboard. */
async function pasted(dialog: Locator): Promise<string> {
  const field = await dialog.evaluateHandle((element) =>
    element.appendChild(document.createElement('textarea')),
  );
  await field.press('Control+V');
  const text = await field.inputValue();
  await field.evaluate((element) => element.remove());
  return text;
}

const codeOf = (page: Page) => page.locator('output').textContent();

test('a device code: shown, copied, as a QR code, and done', async () => {
  const { page, dialog, traffic } = await atLogin();
  await page.locator('output').waitFor();
  const code = (await codeOf(page)) ?? '';
  await dialog.getByRole('button', { name: 'Copy the code' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await pasted(dialog)).toBe(code);
  const link = dialog.getByRole('link', { name: 'Open in browser' });
  const address = (await link.getAttribute('href')) ?? '';
  expect(address).toContain(encodeURIComponent(code));
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  // Module by module, as it is drawn.
  const qr = dialog.getByRole('img', { name: /QR code that opens/ });
  const path = (await qr.locator('path').getAttribute('d')) ?? '';
  const { data, size } = encode(address, { ecc: 'M', border: 4 });
  const drawn = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const [, x, y, wide] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(wide));
  }
  expect(drawn).toEqual(data);
  expect(await dialog.getByRole('timer').textContent()).toMatch(/^\d+:\d\d$/);
  await expectAccessible(page);
  await stage.provider.person.approveDevice(code);
  await page.getByText('Logged in to corp as alice').waitFor();
  expect(await dialog.count()).toBe(0);
  const seen = `${await page.content()}\n${traffic()}`;
  for (const secret of stage.provider.issued) {
    // A device code's user part is there to be seen.
    expect(secret !== code && seen.includes(secret)).toBe(false);
  }
});

test('begins with one click, and Enter goes on: the focus is at the step’s main control', async () => {
  const { dialog } = await atLogin();
  const main = dialog.getByRole('link', { name: /^Open/ });
  await main.waitFor();
  expect(await main.evaluate((link) => link === document.activeElement)).toBe(true);
  expect(await dialog.getByRole('button', { name: 'Use this computer’s browser' }).count()).toBe(1);
});

test('in a browser: the address is offered, and the dialog closes itself', async () => {
  const { page, dialog } = await atLogin();
  await page.locator('output').waitFor();
  await dialog.getByRole('button', { name: 'Use this computer’s browser' }).click();
  // The app has a display, and opens it itself.
  const link = dialog.getByRole('link', { name: /^Open (the page|it again)$/ });
  await stage.provider.person.logInAt((await link.getAttribute('href')) ?? '');
  await page.getByText('Logged in to corp as alice').waitFor();
  expect(await dialog.count()).toBe(0);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page
    .getByRole('dialog', { name: 'Log out of corp' })
    .getByRole('button', { name: 'Log out' })
    .click();
  await page.getByText('The provider has revoked its tokens', { exact: false }).waitFor();
  expect([...stage.provider.issued].filter((token) => stage.provider.knows(token))).toEqual([]);
});

test('what the user denies at the provider is said, and can be tried again', async () => {
  const { page, dialog } = await atLogin();
  await page.locator('output').waitFor();
  await stage.provider.person.refuseConsent((await codeOf(page)) ?? '');
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await page.locator('output').waitFor();
  await page.keyboard.press('Escape');
  // Who leaves last ends it.
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
});

test('a code that ran out, and a provider that is down', async () => {
  const { page, dialog } = await atLogin();
  await page.locator('output').waitFor();
  stage.provider.expireDeviceCodes();
  await dialog.getByText('The login timed out', { exact: false }).waitFor();
  stage.provider.setFault('all', { kind: 'down' });
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('alert').waitFor();
});

test('a login that a terminal began is joined', async () => {
  const { running, code } = await stage.beginLogin('corp');
  const { page } = opened;
  await page.reload();
  await page.getByRole('button', { name: 'Continue login' }).click();
  await page.locator('output').waitFor();
  expect(await codeOf(page)).toBe(code);
  await stage.provider.person.approveDevice(code);
  await page.getByText('Logged in to corp as alice').waitFor();
  expect((await running.ended).code).toBe(0);
});
