import { randomBytes, X509Certificate } from 'node:crypto';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, type Stage, stagePassphrase } from '../support/stage.ts';
import { unless } from '../support/unless.ts';
import { unlock } from '../support/unlock.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { expectNotInPage } from './support/heap.ts';
import { untilAnswered } from './support/press-when-read.ts';
import { allOf, type Traffic } from './support/traffic.ts';
import { openUiStage, type UiStage } from './support/ui-stage.ts';

/**
 * The PIN of a token is typed in the broker’s own window; the page shows what becomes of it, and never sees it
 * (rule: page-without-secrets).
 */
let ui: UiStage;
let stage: Stage;
let tokens: SoftHsm;
let page: Page;
let traffic: Traffic;
let fingerprint: string;
const pin = `pin-${randomBytes(9).toString('hex')}`;
const wrong = `wrong-${randomBytes(9).toString('hex')}`;

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  tokens = new SoftHsm();
  ui = await openUiStage({
    extend: async (config, { api, home, clientCa }) => {
      const carol = await issueClientCertificate(clientCa, { commonName: 'carol', key: 'P-256' });
      tokens.addToken('work', [{ label: 'me', id: 1, ...carol }], pin);
      tokens.addToken('reader', [{ label: 'me', id: 1, ...carol }]);
      fingerprint = new X509Certificate(carol.certificatePem).fingerprint256;
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
      config.accounts['card'] = { pkcs11: { module: tokens.misbehaving, token: 'work', label: 'me', env } };
      config.accounts['pad'] = { pkcs11: { module: tokens.misbehaving, token: 'reader', label: 'me', env } };
      config.clusters['carded'] = { server: api.server, certificateAuthority, account: 'card', proxy: {} };
    },
  });
  ({ stage } = ui);
  ({ page, traffic } = await ui.openPage());
});
afterEach(async () => {
  await stage?.lanyard(['logout', 'card']);
  tokens?.reset();
});
afterAll(async () => {
  await ui?.dispose();
  tokens?.dispose();
});

const dialog = () => page.getByRole('dialog', { name: 'Log in to card' });
const state = (text: string) => page.getByRole('definition').getByText(text, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function atAccount(name = 'card'): Promise<void> {
  await page.evaluate((hash) => window.location.assign(hash), `#/accounts/${name}`);
  await state('Login needed').waitFor();
}

/** The window for the PIN, which opens when Log in is pressed. */
async function beginLogin(press = () => button('Log in').click()) {
  const window = await ui.ownWindow(press);
  await dialog().getByText('Enter the PIN of work in the window that opened.').waitFor();
  return window;
}

async function typeIn(window: Page, text: string): Promise<void> {
  await window.getByLabel('PIN').fill(text);
  await window.keyboard.press('Enter');
}

/** The page hears that the window that opened last takes no answer any more. */
async function windowIsOver(): Promise<void> {
  const last = (text: string) => traffic.heard.findLastIndex((each) => each.includes(text));
  await expect.poll(() => last('["window","",null]') > last('"Enter PIN"')).toBe(true);
}

async function pods() {
  const kubeconfig = await stage.writeKubeconfig();
  return stage.kubectl(findKubectls().newest, kubeconfig, ['--context', 'carded', 'get', 'pods']);
}

describe('a token’s PIN', unless(noSoftHsm), () => {
  test('is typed in a window of its own: a wrong one is tried once, and the right one opens the token', async () => {
    await atAccount();
    const first = await beginLogin();
    const said = (await first.getByRole('main').textContent()) ?? '';
    for (const part of ['The PIN of work', 'card', tokens.misbehaving, 'carded']) {
      expect(said).toContain(part);
    }
    expect(await accessibilityViolations(first)).toEqual([]);
    expect(await accessibilityViolations(page)).toEqual([]);
    await typeIn(first, wrong);
    const refusal = /the PIN is wrong \(CKR_PIN_INCORRECT\); a few more wrong ones lock the token/;
    await first.getByText(refusal).waitFor();
    await dialog().getByText(refusal).waitFor();
    expect(tokens.noted('logins')).toEqual(['pin']);

    tokens.misbehave('final');
    const second = await beginLogin(() => dialog().getByRole('button', { name: 'Try again' }).click());
    await second.getByText('The next wrong PIN locks the token.').waitFor();
    await dialog().getByText('The next wrong PIN locks the token.').waitFor();
    await typeIn(second, pin);
    await untilAnswered(second, 'Logged in');
    await page.getByText('Logged in to card as carol.').waitFor();
    await state('Ready').waitFor();
    await page.getByText(fingerprint).waitFor();
    expect(tokens.noted('logins')).toEqual(['pin', 'pin']);

    expect(await pods()).toMatchObject({ code: 0, stdout: expect.stringContaining('web-0') });
    const all = allOf(traffic);
    for (const secret of [pin, wrong]) {
      expect(all).not.toContain(secret);
      expect(stage.agentLogs()).not.toContain(secret);
    }
    await expectNotInPage(page, [pin, wrong]);
    await button('Log out').click();
    await page.getByRole('dialog').getByText('Lanyard forgets the PIN').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
    await state('Login needed').waitFor();
  });

  test('is typed at the token’s own pad, where it has one', async () => {
    tokens.misbehave('pad');
    await atAccount('pad');
    await button('Log in').click();
    await page.getByText('Logged in to pad as carol.').waitFor();
    await state('Ready').waitFor();
    expect(tokens.noted('logins')).toEqual(['pad']);
    expect(allOf(traffic)).toContain('"shows":"pin","token":"reader","tries":null,"atPad":true');
  });

  test('is needed once: a touch is waited for, and a token that was taken out comes back', async () => {
    await atAccount();
    await typeIn(await beginLogin(), pin);
    await state('Ready').waitFor();
    tokens.misbehave('sleep');
    const slow = pods();
    await page.getByText('Waiting for the token: touch it, or type the PIN at its pad.').waitFor();
    // The signature that waits is enough: later ones are made at once.
    tokens.misbehave('sleep', false);
    expect(await slow).toMatchObject({ code: 0, stderr: '' });
    await state('Ready').waitFor();

    tokens.misbehave('gone');
    await state('Token taken out').waitFor();
    await page.getByText('Put it in again: nothing else is needed.').waitFor();
    tokens.misbehave('gone', false);
    expect(await pods()).toMatchObject({ code: 0, stderr: '' });
    await state('Ready').waitFor();
    expect(tokens.noted('logins')).toEqual(['pin', 'pin']);
  });

  test('isn’t asked for any more once the login is over: it was cancelled, or Lanyard was locked', async () => {
    await atAccount();
    await beginLogin();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await windowIsOver();

    const refused = await beginLogin();
    await refused.getByRole('button', { name: 'Cancel' }).click();
    await dialog().getByText('No PIN was given for card.').waitFor();

    await beginLogin(() => dialog().getByRole('button', { name: 'Try again' }).click());
    mustBeGood(await stage.lanyard(['lock']));
    await windowIsOver();
    await unlock(stage.home, stagePassphrase);
    await state('Login needed').waitFor();
    expect(tokens.noted('logins')).toEqual([]);
  });
});
