import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { Stage } from '../support/stage.ts';
import { appStart } from './support/app-start.ts';
import { expectNotInPage } from './support/heap.ts';
import { expectAccessible, openLanyard } from './support/opened-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

const canary = 'canary-5d1f0a7c93b24e68';
let stage: Stage;
let browser: Browser;

/** Gives a token, or fails as `mode` says, and repeats a password of its own. */
const plugin = (modeFile: string) => `#!/bin/sh
if [ "$(cat '${modeFile}')" = bad ]; then
  echo "AccessDenied: you may not do that" >&2
  echo "password=${canary}" >&2
  exit 3
fi
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"${canary}-token"}}'
`;

beforeAll(async () => {
  stage = await Stage.open({
    startAgent: appStart,
    extend: ({ accounts, clusters }, parts) => {
      const { home, api } = parts;
      const command = home.write('plugin', plugin(home.write('mode', 'good')), 0o755);
      const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' };
      const store = { credentialHelper: { helper: 'pass', fallback: true } };
      const fleet = { secretReader: { cluster: 'prod-bot', namespace: 'fleet' } };
      const corp = parts.oidcAccount(parts.provider, { flow: 'device' });
      Object.assign(accounts, { corp, eks: { execPlugin: exec }, store, fleet });
      const certificateAuthority = home.write('cluster-ca.pem', api.caPem);
      Object.assign(clusters, { eks: { server: api.server, certificateAuthority, account: 'eks' } });
    },
  });
  browser = await sharedChromium();
  await stage.setSecrets();
});
afterAll(async () => {
  await stage?.dispose();
});

const looks = [
  ['light', 1240],
  ['dark', 900],
  ['dark', 1240],
  ['light', 900],
] as const;
let shots = 0;

/**
 * Each screen in one of the looks, in turn; the long form: in all. Keeps pictures for people to look at where
 * LANYARD_SHOTS names a folder.
 */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['LANYARD_SHOTS'];
  shots += 1;
  for (const [theme, width] of isLong ? looks : looks.slice(shots % looks.length).slice(0, 1)) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 780 });
    if (folder) {
      mkdirSync(folder, { recursive: true });
      const path = join(folder, `${name}-${theme}-${width}.png`);
      await page.screenshot({ path, animations: 'disabled' });
    }
    await expectAccessible(page, `${name} ${theme} ${width}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide, `nothing of ${name} is wider than the window, ${width}`).toBeLessThanOrEqual(0);
  }
}

test('a plugin’s runs, and what it said when it failed, without what looks like a secret', async () => {
  const ask = async (mode: string) => {
    stage.home.write('mode', mode);
    // A shell of its own each time: an answer without an end is kept for the program that asked.
    const line = `'${stage.home.file('helper')}' kube-credential --account eks; exit $?`;
    const info = JSON.stringify(stage.execInfo());
    const running = stage.start('/bin/sh', ['-c', line], { env: { KUBERNETES_EXEC_INFO: info } });
    return (await running.ended).code;
  };
  expect(await ask('good')).toBe(0);
  expect(await ask('bad')).not.toBe(0);
  const { page, traffic } = await openLanyard(stage, browser, { hash: '#/accounts/eks' });
  const runs = page.getByRole('table', { name: 'Its last runs' });
  await runs.getByRole('cell', { name: 'Success' }).waitFor();
  await runs.getByRole('cell', { name: 'Failed, exit 3' }).waitFor();
  await page.getByText('Output').click();
  await page.getByText('AccessDenied: you may not do that').waitFor();
  await page.getByText('left out: it looks like a secret', { exact: false }).waitFor();
  await look(page, 'plugin');
  expect(traffic()).not.toContain(canary);
  await expectNotInPage(page, [canary]);
});

test('each screen of accounts and logins is accessible and complete', async () => {
  const { page } = await openLanyard(stage, browser, { hash: '#/accounts' });
  const go = (to: string) =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, to);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

  await page.getByRole('table', { name: 'Accounts' }).waitFor();
  await look(page, 'list');
  await button('Add an account').click();
  const adding = page.getByRole('dialog', { name: 'Add an account' });
  await adding.waitFor();
  await look(page, 'add');
  await adding.getByRole('button', { name: 'Add', exact: true }).click();
  await adding.locator('[aria-invalid="true"]').first().waitFor();
  await adding.getByText('More settings').click();
  await look(page, 'add-faults');
  await adding.getByLabel('Kind').selectOption('credentialHelper');
  await adding.getByLabel('Helper').fill('pass');
  await look(page, 'add-helper');
  await adding.getByLabel('Kind').selectOption('secretReader');
  await adding.getByLabel('Name', { exact: true }).fill('spokes');
  await adding.getByLabel('Hub').fill('no-such-cluster');
  await adding.getByLabel('Namespace').fill('fleet');
  await adding.getByText('there is no cluster no-such-cluster').waitFor();
  await look(page, 'add-reader');
  await page.keyboard.press('Escape');
  await adding.waitFor({ state: 'detached' });

  for (const name of ['corp', 'ops', 'bot', 'eks', 'store', 'fleet', 'nobody']) {
    await go(`#/accounts/${name}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText('Reading the account').waitFor({ state: 'detached' });
    await look(page, `page-${name}`);
    // What it reads is at its hub.
    const inVault = page.getByRole('heading', { name: 'Secrets in the vault' });
    expect(await inVault.count(), name).toBe(['corp', 'ops', 'bot'].includes(name) ? 1 : 0);
  }
  await go('#/accounts/corp');
  await button('Edit').click();
  await button('Test').click();
  await page.getByRole('list', { name: 'What the test found' }).waitFor();
  await look(page, 'edit-tested');
  await page.keyboard.press('Escape');
  await button('Remove').click();
  await page.getByRole('dialog', { name: 'Remove corp?' }).getByRole('link').first().waitFor();
  await look(page, 'remove-used');
  await page.keyboard.press('Escape');

  await button('Log in').click();
  const login = page.getByRole('dialog', { name: 'Log in to corp' });
  await page.locator('output').waitFor();
  await look(page, 'login-code');
  await login.getByRole('button', { name: 'Use this computer’s browser' }).click();
  await login.getByRole('link', { name: /^Open (the page|it again)$/ }).waitFor();
  await look(page, 'login-browser');
  await login.getByRole('button', { name: 'Use a device code' }).click();
  await page.locator('output').waitFor();
  stage.provider.expireDeviceCodes();
  await login.getByRole('alert').waitFor();
  await look(page, 'login-failed');
  await page.keyboard.press('Escape');
  await login.waitFor({ state: 'detached' });
});
