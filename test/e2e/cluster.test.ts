import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, Stage } from '../support/stage.ts';
import { accessibilityViolations } from './support/accessibility.ts';

let stage: Stage;
let browser: Browser;
let page: Page;
let kubeconfig: string;
/** All that the broker sent to the page. */
let heard = '';

beforeAll(async () => {
  stage = await Stage.open();
  await stage.setSecrets();
  await stage.logIn();
  kubeconfig = await stage.writeKubeconfig();
  browser = await launchChromium();
  page = await (await browser.newContext({ viewport: { width: 1240, height: 900 } })).newPage();
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      heard += String(payload);
    }),
  );
  const done = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(done);
  await page.goto(done.stdout.trim());
  await page.getByRole('heading', { name: 'Clusters', level: 1 }).waitFor();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stage?.dispose();
});

const getPods = (context: string) =>
  stage.kubectl(findKubectls().newest, kubeconfig, ['--context', context, 'get', 'pods']);

const detail = (cluster: string) => page.getByRole('complementary', { name: `Cluster ${cluster}` });

async function open(cluster: string): Promise<void> {
  await page.evaluate((name) => {
    window.location.hash = `/clusters/${name}`;
  }, cluster);
  await detail(cluster).getByRole('heading', { name: cluster, level: 2 }).waitFor();
}

/** With the keyboard alone: to the tabs, and along them. */
async function tab(cluster: string, name: string): Promise<void> {
  const found = detail(cluster).getByRole('tab', { name });
  await found.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => found.getAttribute('aria-selected')).toBe('true');
}

test('the lane shows renewals and a 401 that a real kubectl ran into', async () => {
  mustBeGood(await getPods('prod'));
  await open('prod');
  await detail('prod').getByRole('button', { name: 'Renew now' }).click();
  await page.getByText('prod is renewed').waitFor();
  stage.api.rejectAll(true);
  await getPods('prod');
  stage.api.rejectAll(false);
  await tab('prod', 'Time');
  const table = detail('prod').getByRole('table', { name: 'Each credential, with its reason, newest first' });
  await table.getByText('Renewed when asked for').waitFor();
  await table.getByText('Server said 401').first().waitFor();
  expect(
    await detail('prod')
      .getByRole('img', { name: /Held since/ })
      .count(),
  ).toBe(1);
  const line = detail('prod').getByRole('group', { name: /Line of time/ });
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await detail('prod').getByRole('status').last().textContent()).toMatch(/^\d\d:\d\d: \S/);
  await page.keyboard.press('+');
  await expect
    .poll(() => detail('prod').getByRole('combobox', { name: 'How far to look' }).inputValue())
    .toBe('hour');
});

test('who am I there: as the server says, and why not', async () => {
  await open('prod');
  await tab('prod', 'Credential');
  const ask = detail('prod').getByRole('button', { name: 'Ask the server' });
  await ask.focus();
  await page.keyboard.press('Enter');
  await detail('prod').locator('dd strong').waitFor();
  stage.api.rejectAll(true);
  await detail('prod').getByRole('button', { name: 'Ask again' }).click();
  await detail('prod')
    .getByText(/doesn’t take the credential \(401\)/)
    .waitFor();
  stage.api.rejectAll(false);
});

test('a certificate is shown with its chain, and no key or token ever reaches the page', async () => {
  await getPods('prod-ops');
  await getPods('prod-bot');
  await open('prod-ops');
  await tab('prod-ops', 'Credential');
  await detail('prod-ops').getByRole('heading', { name: 'Certificate', exact: true }).waitFor();
  const seen = (await detail('prod-ops').textContent()) ?? '';
  expect(seen).toContain('CN=olga');
  expect(seen).toContain('Its issuer, 1');
  expect(seen.replaceAll(':', '').toLowerCase()).toContain(stage.opsCertificate.sha256);
  await open('prod-bot');
  await tab('prod-bot', 'Credential');
  await detail('prod-bot').getByText('Token', { exact: true }).waitFor();
  expect(heard).not.toContain(stage.botToken);
  expect(heard).not.toMatch(/PRIVATE KEY/);
  expect(heard).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}/);
});

test('an edit is held until it is confirmed on a terminal', async () => {
  await open('prod-bot');
  await tab('prod-bot', 'Settings');
  await detail('prod-bot').getByLabel('Ask me before it is used').selectOption('always');
  await detail('prod-bot').getByRole('button', { name: 'Save' }).click();
  await detail('prod-bot').getByText('This cluster was changed').waitFor();
  await detail('prod-bot').getByText('+ approval: always').waitFor();
  expect(readFileSync(stage.home.file('config'), 'utf8')).toContain('always');
  expect((await getPods('prod-bot')).code).not.toBe(0);
  const terminal = stage.onTerminal(['confirm']);
  await terminal.waitForText(/\[y\/N\]/);
  terminal.send('y\r');
  await terminal.ended;
  await detail('prod-bot').getByText('This cluster was changed').waitFor({ state: 'detached' });
});

test('a removal is undone, and needs nobody’s word again', async () => {
  await open('prod-ops');
  await tab('prod-ops', 'Settings');
  await detail('prod-ops').getByRole('button', { name: 'Remove prod-ops' }).click();
  await page.getByText('prod-ops is removed').waitFor();
  expect(readFileSync(stage.home.file('config'), 'utf8')).not.toContain('prod-ops:');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('prod-ops is back').waitFor();
  mustBeGood(await getPods('prod-ops'));
});

test('every part is accessible in both themes, also in a narrow window', async () => {
  for (const [colorScheme, width] of [
    ['light', 1240],
    ['dark', 900],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    for (const cluster of ['prod', 'prod-ops']) {
      await open(cluster);
      for (const part of ['Overview', 'Credential', 'Time', 'Settings']) {
        await tab(cluster, part);
        expect(await accessibilityViolations(page), `${colorScheme} ${cluster} ${part}`).toEqual([]);
      }
    }
  }
  await page.evaluate(() => {
    window.location.hash = '/clusters/new';
  });
  await page.getByRole('heading', { name: 'Add a cluster' }).waitFor();
  expect(await accessibilityViolations(page), 'a new one').toEqual([]);
  await page.setViewportSize({ width: 1240, height: 900 });
}, 60_000);

test('a name that there is not says so', async () => {
  await page.evaluate(() => {
    window.location.hash = '/clusters/nowhere';
  });
  await page.getByText('There is no cluster named nowhere').waitFor();
});
