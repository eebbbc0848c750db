import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtHelper } from '../support/home.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { startOnTerminal } from '../support/pty.ts';
import { credentialIn, Stage } from '../support/stage.ts';
import { createStandInBrowser } from '../support/stand-in-browser.ts';
import { sharedChromium } from './support/shared-chromium.ts';

/** Logins in a real browser: Chromium at the provider's pages, the broker's listener, the helper. */
const display = createStandInBrowser();
let stage: Stage;
let chromium: Browser;

beforeAll(async () => {
  chromium = await sharedChromium();
  stage = await Stage.open({
    agent: { env: display.env },
    extend: (config, { provider }) => {
      provider.setDiscovery({ end_session_endpoint: `${provider.issuer}/session/end` });
      const oidc = config.accounts['corp'] as { oidc: object };
      config.accounts['corp'] = { oidc: { ...oidc.oidc, extraParams: { prompt: 'consent' } } };
      config.accounts['late'] = config.accounts['corp'];
      config.clusters['late'] = { ...config.clusters['prod'], account: 'late' };
    },
  });
});
afterAll(async () => {
  await stage?.dispose();
  display.dispose();
});

/** What is opened while `begin` goes on. */
async function whatOpens<T>(begin: () => T): Promise<{ url: string; begun: T }> {
  const before = display.opened().length;
  const begun = begin();
  await expect.poll(() => display.opened().length).toBe(before + 1);
  return { url: display.opened().at(-1) ?? '', begun };
}

/** `lanyard login …` without a terminal. */
function beginLogin(...args: string[]) {
  const running = stage.start(builtHelper, ['login', ...args]);
  running.closeInput();
  return running;
}

/** The page in a browser of its own. */
async function openPage(url: string): Promise<Page> {
  const context = await chromium.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function logIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('lanyard login corp: the user logs in in Chromium, sees their name, and kubectl gets a credential', async () => {
  const { url, begun: running } = await whatOpens(() => beginLogin('corp'));
  const page = await openPage(url);
  const problems: string[] = [];
  page.on('console', (message) => problems.push(`${message.location().url} ${message.text()}`));
  await logIn(page, 'alice');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor();
  expect(await page.getByText('alice@example.com').isVisible()).toBe(true);
  expect(await page.getByText('You can close this window').isVisible()).toBe(true);
  // Its style is in force: the policy names it.
  expect(await page.evaluate("getComputedStyle(document.querySelector('main')).borderRadius")).toBe('8px');
  expect(problems.filter((text) => !text.includes('/favicon.ico '))).toEqual([]);

  const ended = await running.ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain('Logged in to corp as alice@example.com.');
  expect(ended.stderr).toContain(url);
  expect(credentialIn(await stage.ask('corp')).token).toBeDefined();
  // A tab that comes later sees the same end.
  await page.reload();
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor();
  await page.context().close();
});

test('a user who says no reads that in the browser and at the terminal', async () => {
  const { url, begun: running } = await whatOpens(() => beginLogin('corp', '--browser'));
  const page = await openPage(url);
  await logIn(page, 'alice');
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'The login did not work' }).waitFor();
  expect(await page.getByText('was denied at').isVisible()).toBe(true);
  expect(await running.ended).toMatchObject({ code: 10, stderr: expect.stringContaining('was denied at') });
  await page.context().close();
});

test('KEP-541/interactive-login: kubectl on a terminal without a login opens the browser, shows the address, and continues', async (context) => {
  const { newest } = findKubectls();
  if (execVersion(newest) === 'v1beta1') {
    context.skip('this kubectl doesn’t tell whether somebody is there');
  }
  const env = { ...stage.home.env, KUBECONFIG: await stage.writeKubeconfig() };
  const { url, begun: terminal } = await whatOpens(() =>
    startOnTerminal(newest.path, ['--context', 'late', 'get', 'pods'], { env }),
  );
  try {
    await terminal.waitForText(url);
    const page = await openPage(url);
    await logIn(page, 'late');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('late@example.com').waitFor();
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(terminal.shown()).toContain('web-0');
    await page.context().close();
  } finally {
    await terminal.dispose();
  }
});

test('no code, state or verifier is in the broker’s log, and after Ctrl-C a tab reads that the login ended', async () => {
  const { url, begun: running } = await whatOpens(() => beginLogin('late'));
  running.kill('SIGINT');
  await running.ended;
  const { redirect_uri: back = '', state = '' } = Object.fromEntries(new URL(url).searchParams);
  const page = await openPage(`${back}?${new URLSearchParams({ state, code: 'late' })}`);
  await page.getByRole('heading', { name: 'The login did not work' }).waitFor();
  await page.context().close();
  for (const url of display.opened()) {
    const asked = new URL(url).searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(stage.agentLogs()).not.toContain(asked.get(name));
    }
  }
});
