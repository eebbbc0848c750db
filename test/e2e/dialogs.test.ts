import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { type DesktopStage, openDesktopStage } from '../support/electron/desktop-stage.ts';
import { builtHelper } from '../support/home.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { type OnTerminal, startOnTerminal } from '../support/pty.ts';
import { mustBeGood, stagePassphrase, until } from '../support/stage.ts';
import { accessibilityViolations, showTheme } from './support/accessibility.ts';
import { type DialogPage, openDialogPage } from './support/dialog-page.ts';
import { layoutFindings } from './support/layout.ts';
import { sharedChromium } from './support/shared-chromium.ts';

/**
 * The desktop app's dialogs in real Chromium, as large as their windows are: asked for by real programs and by clicks in
 * the tray's menu, answered by clicks (test/e2e/support/dialog-page.ts says what that can't show).
 */
const { newest: kubectl } = findKubectls();
let on: DesktopStage;
/** Null: none can be made here. */
const tokens = noSoftHsm === null ? new SoftHsm() : null;
let stranger: KubernetesApi;
let browser: Browser;
let kubeconfig: string;
let dialog: DialogPage | null = null;
const terminals: OnTerminal[] = [];

beforeAll(async () => {
  on = await openDesktopStage({
    extend: async ({ accounts, clusters }, { api, home, clientCa }) => {
      const certificateAuthority = home.write('cluster-ca.pem', api.caPem);
      if (tokens) {
        const pair = await issueClientCertificate(clientCa, { commonName: 'carol', key: 'P-256' });
        tokens.addToken('work', [{ label: 'me', id: 1, ...pair }]);
        const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
        accounts['card'] = { pkcs11: { module: tokens.misbehaving, token: 'work', label: 'me', env } };
        clusters['carded'] = { server: api.server, certificateAuthority, account: 'card', proxy: {} };
      }
      clusters['guarded'] = { server: api.server, certificateAuthority, account: 'bot', approval: '15m' };
    },
  });
  await on.stage.setSecrets();
  kubeconfig = await on.stage.writeKubeconfig(execVersion(kubectl));
  const staticTokens = { [on.stage.botToken]: { name: 'bot', groups: [] } };
  stranger = await startKubernetesApi({ staticTokens });
  browser = await sharedChromium();
});
afterEach(async () => {
  const found = dialog?.problems.found() ?? [];
  await dialog?.close();
  dialog = null;
  await Promise.all(terminals.splice(0).map((each) => each.dispose()));
  expect(found, 'what the dialog complained of').toEqual([]);
});
afterAll(async () => {
  await stranger?.dispose();
  await on?.dispose();
  tokens?.dispose();
});

function terminal(context: string, file = kubeconfig): OnTerminal {
  const env = { ...on.stage.home.env, KUBECONFIG: file, K: kubectl.path, TERM: 'xterm' };
  const line = `$K --context ${context} get pods -o name; echo "ended $?"`;
  const opened = startOnTerminal('sh', ['-c', line], { env });
  terminals.push(opened);
  return opened;
}

/** Clicks a line of the tray's menu, as soon as it is there. */
async function choose(line: RegExp): Promise<void> {
  const desktop = on.desktop();
  await desktop.choose(
    await until(async () => (await desktop.tray()).menu.find((each) => line.test(each)), `${line}`),
  );
}

/** The dialog, once it is known that everybody can read it whole, in both themes. */
async function goodDialog(heading: string | RegExp) {
  dialog = await openDialogPage(on.app(), browser);
  const { page } = dialog;
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await showTheme(page, 'dark');
  // What it is made of is the same.
  expect(await accessibilityViolations(page, { rules: ['color-contrast'] }), 'dark').toEqual([]);
  expect(await layoutFindings(page)).toEqual([]);
  const unseen = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(unseen, 'what has to be scrolled to').toBeLessThanOrEqual(0);
  return page;
}

it('an approval: who requests it, and a yes by click', async () => {
  const shell = terminal('guarded');
  await shell.waitForText('[y/N]');
  await choose(/wants to use guarded…$/);
  const page = await goodDialog(/wants to use guarded as bot$/);
  expect((await page.getByRole('definition').allTextContents()).join()).toContain(kubectl.path);
  await page.getByRole('button', { name: 'For 15 minutes', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByRole('heading', { name: 'Allowed' }).waitFor();
  await shell.waitForText('ended 0');
});

it('an unknown server: no yes without its name, and it is in config.yaml then', async () => {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: builtHelper,
    args: ['kube-credential', '--account', 'bot'],
    provideClusterInfo: true,
  };
  const text = kubeconfigText({ server: stranger.server, caPem: stranger.caPem }, { exec });
  const shell = terminal('test', on.stage.home.write('stranger.yaml', text));
  await shell.waitForText('Add it to config.yaml');
  await choose(/wants to use an unknown server…$/);
  const page = await goodDialog('Add this server?');
  await page.getByLabel('Name for the cluster').fill('prod');
  await page.getByRole('button', { name: 'Add and allow' }).click();
  expect(await page.getByRole('alert').textContent()).toBe('There is a cluster of that name already.');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByLabel('Name for the cluster').fill('found');
  await page.getByRole('button', { name: 'Add and allow' }).click();
  await page.getByRole('heading', { name: 'Added' }).waitFor();
  await shell.waitForText('ended 0');
});

it('a change: the difference, and a No that leaves it pending', async () => {
  const { home } = on.stage;
  // What the test before added was pending for a moment.
  const isPending = async () => (await on.desktop().tray()).menu.some((each) => each.startsWith('Approve'));
  await until(async () => (await isPending()) === false || null, 'nothing that is pending');
  const text = readFileSync(home.file('config'), 'utf8');
  home.writeConfig(text.replace('"approval": "15m"', '"approval": "never"'));
  await choose(/^Approve 1 change…$/);
  const page = await goodDialog('Approve this change?');
  await page.getByText('- approval: 15m').waitFor();
  await page.getByRole('button', { name: 'Not now', exact: true }).click();
  await page.getByRole('heading', { name: 'Not approved' }).waitFor();
  home.writeConfig(text);
});

it('a secret: typed there alone, and kept', async () => {
  const opened = await on.stage.lanyard(['ui', '--no-open']);
  mustBeGood(opened);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(opened.stdout.trim());
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByText('bot', { exact: true }).first().click();
  await page.getByRole('button', { name: /^Replace…/ }).click();
  const shown = await goodDialog('The token of bot');
  await shown.getByLabel('Token').fill(on.stage.botToken);
  await shown.keyboard.press('Enter');
  await shown.getByRole('heading', { name: 'Saved' }).waitFor();
  await context.close();
});

/** Titles of the notifications that are shown. */
const notified = () =>
  on
    .app()
    .evaluate((standIn) =>
      standIn.notifications.filter(({ isShown }) => isShown).map(({ options }) => options.title),
    );
const told = (title: string, isShown = true) =>
  until(async () => (await notified()).includes(title) === isShown || null, `${title}: ${isShown}`);

it.skipIf(tokens === null)(
  'a token’s PIN; what it waits for, and that it is away, is notified once',
  async () => {
    tokens?.misbehave('final');
    await choose(/^Log in to carded…$/);
    const page = await goodDialog('The PIN of work');
    await page.getByText('The next wrong PIN locks the token.').waitFor();
    await page.getByLabel('PIN').fill('1234');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Logged in' }).waitFor();

    tokens?.misbehave('sleep');
    const shell = terminal('carded');
    await told('The token of card waits for you');
    tokens?.misbehave('sleep', false);
    await shell.waitForText('ended 0');
    await told('The token of card waits for you', false);

    // With one wrong PIN left a kept one would not be risked.
    tokens?.misbehave('final', false);
    tokens?.misbehave('gone');
    await told('The token of card was taken out');
    tokens?.misbehave('gone', false);
    // Nobody asks for anything: it is looked for.
    await told('The token of card was taken out', false);
    expect(tokens?.noted('logins')).toEqual(['pin', 'pin']);
  },
);

it('a closed lock: the passphrase, by Enter', async () => {
  mustBeGood(await on.stage.lanyard(['lock']));
  await choose(/^Unlock…$/);
  const page = await goodDialog('Unlock Lanyard');
  await page.getByLabel('Passphrase').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Passphrase').fill(stagePassphrase);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Lanyard is unlocked' }).waitFor();
});
