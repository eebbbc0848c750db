import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { builtHelper } from '../support/home.ts';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { type OnTerminal, startOnTerminal } from '../support/pty.ts';
import { mustBeGood, Stage, stagePassphrase, until } from '../support/stage.ts';
import { createStandInBrowser, type StandInBrowser } from '../support/stand-in-browser.ts';
import { accessibilityViolations, showTheme } from './support/accessibility.ts';
import { sharedChromium } from './support/shared-chromium.ts';

const { newest: kubectl } = findKubectls();
const question = 'Allow? [y/N] ';

let stage: Stage;
let stranger: KubernetesApi;
let browser: Browser;
let standIn: StandInBrowser;
let kubeconfig: string;
const terminals: OnTerminal[] = [];
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  standIn = createStandInBrowser();
  stage = await Stage.open({
    agent: { env: standIn.env },
    extend: ({ clusters }, { api, home }) => {
      const known = {
        server: api.server,
        certificateAuthority: home.write('cluster-ca.pem', api.caPem),
        account: 'bot',
      };
      clusters['each'] = { ...known, approval: 'always' };
      clusters['terminal'] = { ...known, approval: 'perTerminal' };
    },
  });
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig(execVersion(kubectl));
  stranger = await startKubernetesApi({ staticTokens: { [stage.botToken]: { name: 'bot', groups: [] } } });
  browser = await sharedChromium();
});
afterEach(async () => {
  await Promise.all(terminals.splice(0).map((each) => each.dispose()));
  await Promise.all(contexts.splice(0).map((each) => each.close()));
});
afterAll(async () => {
  await stranger?.dispose();
  await stage?.dispose();
  standIn?.dispose();
});

async function openPage(): Promise<Page> {
  const done = await stage.lanyard(['ui', '--no-open']);
  mustBeGood(done);
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(done.stdout.trim());
  await page.getByRole('navigation').waitFor();
  return page;
}

function terminal(cluster: string, file = kubeconfig): OnTerminal {
  const env = { ...stage.home.env, KUBECONFIG: file, K: kubectl.path, TERM: 'xterm' };
  const line = `$K --context ${cluster} get pods -o name; echo "ended $?"`;
  const opened = startOnTerminal('sh', ['-c', line], { env });
  terminals.push(opened);
  return opened;
}

const card = (page: Page) => page.getByRole('region', { name: /wants to use/ });

/** The address in the redirect file that the broker had opened, `count` openings from the start. */
async function openedWindow(page: Page, ask: () => Promise<void>): Promise<Page> {
  const before = standIn.opened().length;
  await ask();
  const file = await until(() => standIn.opened()[before] ?? null, 'a window');
  const window = await page.context().newPage();
  await window.goto(file.startsWith('file:') ? file : `file://${file}`);
  await window.waitForURL(/^http:\/\/127\.0\.0\.1/);
  return window;
}

/** What breaks WCAG 2.2 A and AA, in both themes. */
async function violations(page: Page): Promise<string[]> {
  const light = await accessibilityViolations(page);
  await showTheme(page, 'dark');
  // What it is made of is the same.
  return [...light, ...(await accessibilityViolations(page, { rules: ['color-contrast'] }))];
}

/** For whoever wants to see: LANYARD_PICTURES names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['LANYARD_PICTURES'];
  if (folder) {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
}

test('answered in the page: the terminal is told and kubectl continues', async () => {
  const page = await openPage();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const shell = terminal('each');
  await shell.waitForText(question);
  const shown = card(page);
  await shown.getByText('Also asked in the terminal', { exact: false }).waitFor();
  // A click that was meant for what the card covers comes at once.
  const yes = shown.getByRole('button', { name: 'Allow once' });
  expect(await yes.isDisabled()).toBe(true);
  await page.clock.runFor(600);
  await expect.poll(() => yes.isEnabled()).toBe(true);
  await page.clock.resume();
  expect(await shown.getByRole('heading').textContent()).toMatch(
    /^kubectl\S* \(from sh.*\) wants to use each as /,
  );
  expect(await page.title()).toMatch(/^\(1\) /);
  await shown.getByText('Details').click();
  await picture(page, 'question');
  expect(await violations(page)).toEqual([]);
  await yes.click();
  await shell.waitForText('Answered in Lanyard’s page: yes');
  await shell.waitForText('ended 0');
  await shown.getByText('Answered in a page: yes.').waitFor();
  expect(await page.title()).not.toMatch(/^\(/);
});

test('answered on the terminal while the page shows it: the page says where', async () => {
  const page = await openPage();
  const shell = terminal('each');
  await shell.waitForText(question);
  await card(page).waitFor();
  shell.send('y\r');
  await shell.waitForText('ended 0');
  await page.getByText('Answered on the terminal: yes.').waitFor();
});

test('a caller without a terminal waits for the page, and is answered there', async () => {
  const page = await openPage();
  const asked = stage.ask('bot', stage.execInfo(), { args: ['--cluster', 'each'] });
  await card(page).getByText('Only asked here', { exact: false }).waitFor();
  await card(page).getByRole('button', { name: 'Allow once' }).click();
  expect(await asked).toMatchObject({ code: 0 });
});

test('for this terminal, by keyboard alone; letters answer nothing', async () => {
  const page = await openPage();
  const shell = terminal('terminal');
  await shell.waitForText(question);
  await card(page).waitFor();
  await page.keyboard.type('yY\n');
  await card(page).getByRole('button', { name: 'Allow for longer' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'For as long as this terminal is open' }).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await shell.waitForText('ended 0');
});

test('the caller goes away, and Lanyard is locked: the question goes, too', async () => {
  const page = await openPage();
  const shell = terminal('each');
  await shell.waitForText(question);
  await card(page).waitFor();
  shell.send('\x03');
  await page.getByText(/The program that asked is gone|Answered on the terminal: no/).waitFor();
  const second = terminal('each');
  await second.waitForText(question);
  await card(page).getByText('Also asked in the terminal', { exact: false }).waitFor();
  mustBeGood(await stage.lanyard(['lock']));
  await second.waitForText('is being locked');
  await page.getByRole('heading', { name: /locked/i }).waitFor();
  expect(await card(page).count()).toBe(0);
});

test('unlocked with the passphrase in the broker’s own window; after a wrong one, it asks again', async () => {
  const page = await openPage();
  const window = await openedWindow(page, async () => {
    await page.getByRole('button', { name: 'Unlock…' }).click();
  });
  await picture(window, 'window-unlock');
  expect(await violations(window)).toEqual([]);
  await window.keyboard.type('not the passphrase');
  await window.keyboard.press('Enter');
  await window.getByRole('alert').waitFor();
  await window.getByLabel('Passphrase').fill(stagePassphrase);
  await window.keyboard.press('Enter');
  await window.getByRole('heading', { name: 'Lanyard is unlocked' }).waitFor();
  await page.getByRole('button', { name: 'Lock now' }).waitFor();
  expect(stage.agentLogs()).not.toContain(stagePassphrase);
});

test('approved in the broker’s own window; the page never gets its address', async () => {
  const page = await openPage();
  const heard: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  await page.reload();
  const file = stage.home.file('config');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"approval": "always"', '"approval": "7m"'));
  await page.getByRole('button', { name: 'Review' }).click();
  const window = await openedWindow(page, async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Review and approve…' }).click();
  });
  await window.getByRole('heading', { name: 'Approve this change?' }).waitFor();
  await picture(window, 'window-confirm');
  expect(await violations(window)).toEqual([]);
  expect(heard.join()).not.toContain(new URL(window.url()).pathname);
  expect(heard.join()).not.toContain(new URL(window.url()).host);
  await window.getByRole('button', { name: 'Approve' }).click();
  await window.getByRole('heading', { name: /approved$/ }).waitFor();
  expect((await stage.lanyard(['confirm'])).stderr).toContain('Nothing is pending approval.');
});

test('an unknown server: No in the page, Yes in the broker’s own window alone', async () => {
  const page = await openPage();
  const shown = page.getByRole('region', { name: /doesn’t know this server/ });
  const file = stage.home.write(
    'stranger.yaml',
    kubeconfigText(
      { server: stranger.server, caPem: stranger.caPem },
      {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: builtHelper,
          args: ['kube-credential', '--account', 'bot'],
          provideClusterInfo: true,
        },
      },
    ),
  );
  const shell = terminal('test', file);
  await shell.waitForText('Add it to config.yaml');
  await shown.waitFor();
  expect(await shown.getByRole('button', { name: /Allow/ }).count()).toBe(0);
  const window = await openedWindow(page, async () => {
    await shown.getByRole('button', { name: /^Review and add/ }).click();
  });
  await picture(window, 'window-server');
  expect(await violations(window)).toEqual([]);
  await window.getByLabel('Name for the cluster').fill('found');
  await window.getByRole('button', { name: 'Add and allow' }).click();
  await window.getByRole('heading', { name: 'Added' }).waitFor();
  await shell.waitForText('Answered in Lanyard’s window: yes');
  await shell.waitForText('ended 0');
  expect((await stage.lanyard(['cluster', 'list'])).stdout).toContain('found');
});
