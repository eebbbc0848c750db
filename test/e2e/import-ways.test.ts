import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { agree } from '../support/agree.ts';
import { findKubectls } from '../support/kubectl.ts';
import { run } from '../support/processes.ts';
import { mustBeGood, Stage, stagePassphrase } from '../support/stage.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { appStart } from './support/app-start.ts';
import { openClosable, openPage } from './support/open-page.ts';
import { restoreFile } from './support/restore-file.ts';
import { sharedChromium } from './support/shared-chromium.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const held = 'One last step: approve the import';

let stage: Stage;
let browser: Browser;
let file: string;

beforeAll(async () => {
  browser = await sharedChromium();
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await stage?.dispose();
});

/** An empty home, and a kubeconfig that a person has had for long. */
async function openStage(text: (stage: Omit<Stage, 'agent'>) => string = twoContexts): Promise<void> {
  stage = await Stage.open({
    startAgent: appStart,
    extend: (config, own) => {
      config.accounts = {};
      config.clusters = {};
      const folder = join(String(own.home.env['HOME']), '.kube');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      file = join(folder, 'config');
      writeFileSync(file, text(own), { mode: 0o600 });
    },
  });
}

interface Parts {
  cluster: string;
  contexts: readonly string[];
  users: string;
}

function kubeconfig({ cluster, contexts, users }: Parts): string {
  return `# mine
apiVersion: v1
kind: Config
current-context: ${/name: ([\w-]+)/.exec(contexts[0] ?? '')?.[1]}
clusters:
- name: one
  cluster: ${cluster}
contexts:
${contexts.map((each) => `- ${each}`).join('\n')}
users:
${users}`;
}

const trusted = ({ api }: Omit<Stage, 'agent'>) =>
  `{server: "${api.server}", certificate-authority-data: ${base64(api.caPem)}}`;
const bots = ['bot-1', 'bot-2'].map((name) => `{name: ${name}, context: {cluster: one, user: bot}}`);
const bot = ({ botToken }: Omit<Stage, 'agent'>) => `- name: bot\n  user: {token: ${botToken}}\n`;

function twoContexts(own: Omit<Stage, 'agent'>): string {
  return kubeconfig({ cluster: trusted(own), contexts: bots, users: bot(own) });
}

const text = () => readFileSync(file, 'utf8');
const look = { reducedMotion: 'reduce' } as const;
const open = (path = '/clusters') => openPage(stage, browser, path, look);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name });

async function confirm(): Promise<void> {
  const done = await agree(stage.onTerminal(['confirm']));
  expect(done.code, done.shown).toBe(0);
}

/** No violation in either theme: what the page is made of is the same in both. */
async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await accessibilityViolations(page, { rules: ['color-contrast'] })).toEqual([]);
}

/** Goes to something by the Tab key, as far as there is anything to go to. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let pressed = 0; pressed < 120; pressed++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${target}`);
}

test('approved after its page was closed: what is active is said, and the file is edited then', async () => {
  await openStage();
  const before = text();
  const first = await openClosable(stage, browser, '/clusters', look);
  await button(first.page, 'Import').click();
  await heading(first.page, held).waitFor();
  await first.close();

  // Still held: an import goes on where that one was left, and no file is edited without the word.
  const { page: second, close } = await openClosable(stage, browser, '/import', look);
  await second.getByText('It is pending your approval').waitFor();
  expect(await second.getByRole('region', { name: 'New in your kubeconfig' }).count()).toBe(0);
  await expectAccessible(second);
  await button(second, 'Import').click();
  await heading(second, held).waitFor();
  expect(text()).toBe(before);
  await close();
  await confirm();

  const page = await open();
  const strip = page.getByRole('region', { name: 'Unfinished import' });
  await strip.getByText('Import isn’t finished').waitFor();
  expect(text()).toBe(before);
  expect(await strip.textContent()).toContain('Import isn’t finished: update ');
  await strip.getByRole('button', { name: 'Finish' }).click();
  await page.getByText('It was imported, but').waitFor();
  await expectAccessible(page);
  await button(page, 'Import').click();
  await page.getByText('Undo restores', { exact: false }).waitFor();
  expect(text()).not.toContain(stage.botToken);
  expect(text()).toContain('# mine');
  await strip.waitFor({ state: 'detached' });
});

test('a name that was made of letters beyond Latin is changed in the plan, and known when it is looked at again', async () => {
  await openStage((own) =>
    kubeconfig({
      cluster: trusted(own),
      contexts: ['{name: 生产, context: {cluster: one, user: бот}}'],
      users: bot(own).replace('name: bot', 'name: бот'),
    }),
  );
  const first = await openClosable(stage, browser, '/import', look);
  const contexts = first.page.getByRole('region', { name: 'Contexts', exact: true });
  const users = first.page.getByRole('table', { name: 'Users and what they become' });
  await contexts.getByText('cluster cluster, by account bot').waitFor();
  const change = contexts.getByRole('button', { name: 'Change name of the cluster of 生产' });
  await change.click();
  const field = contexts.getByLabel('Name in Lanyard for the cluster of 生产');
  await field.fill('pay ments');
  await contexts.getByText('Expected a letter or digit').waitFor();
  await expectAccessible(first.page);
  await field.press('Enter');
  expect(await field.inputValue()).toBe('pay ments');
  await field.press('Escape');
  expect(await change.evaluate((element) => element === document.activeElement)).toBe(true);
  await change.press('Enter');
  await field.fill('payments');
  await field.press('Enter');
  await contexts.getByText('cluster payments, by account bot; its name becomes payments').waitFor();
  expect(await change.evaluate((element) => element === document.activeElement)).toBe(true);
  await users.getByRole('button', { name: 'Change name of the account of бот' }).click();
  await users.getByLabel('Name in Lanyard for the account of бот').fill('robot');
  await users.getByRole('button', { name: 'Save' }).click();
  await contexts.getByText('cluster payments, by account robot').waitFor();
  await button(first.page, 'Import').click();
  await heading(first.page, held).waitFor();
  await first.close();

  const page = await open('/import');
  const again = page.getByRole('region', { name: 'Contexts', exact: true });
  await again.getByText('cluster payments, by account robot (already imported)').waitFor();
  expect(await page.getByRole('button', { name: /Change name/ }).count()).toBe(0);
  await button(page, 'Import').click();
  await heading(page, held).waitFor();
  await confirm();
  await page.getByText('Undo restores', { exact: false }).waitFor();
  expect(text()).toMatch(/name: 生产/);
  expect(text()).toMatch(/payments/);
  mustBeGood(
    await run(findKubectls().newest.path, ['--kubeconfig', file, '--context', '生产', 'get', 'pods'], {
      env: stage.home.env,
    }),
  );
  await page.goto(page.url().replace(/#.*/, '#/clusters'));
  await page.getByRole('row').filter({ hasText: '生产' }).waitFor();
});

test('what is wrong with a name is in sight in the last row, and a name that is taken is said', async () => {
  const long = 'payments'.repeat(10);
  await openStage((own) =>
    kubeconfig({
      cluster: trusted(own),
      contexts: [
        ...Array.from({ length: 15 }, (_, at) => `{name: c-${at}, context: {cluster: one, user: bot}}`),
        `{name: ${long}, context: {cluster: one, user: ${long}}}`,
        '{name: 生产, context: {cluster: one, user: bot}}',
      ],
      users: `${bot(own)}${bot(own).replace('name: bot', `name: ${long}`).replace('token: ', 'token: x')}`,
    }),
  );
  const page = await open('/import');
  await page.getByRole('radio', { name: /Create a separate kubeconfig/ }).click();
  const contexts = page.getByRole('region', { name: 'Contexts', exact: true });
  await contexts.getByRole('button', { name: 'Change name of the cluster of 生产' }).click();
  const field = contexts.getByLabel('Name in Lanyard for the cluster of 生产');
  await field.fill('bad name');
  await field.press('Enter');
  const fault = contexts.getByText('Expected a letter or digit');
  await fault.waitFor();
  await expect.poll(() => isWithin(fault, contexts)).toBe(true);
  expect(await isWithin(contexts.getByRole('button', { name: 'Save' }), contexts)).toBe(true);
  await field.fill('c-3');
  await field.press('Enter');
  await contexts.getByText('the name c-3 is taken; its name becomes c-3-2').waitFor();
  // Nothing of a long name or address is cut.
  for (const caption of ['Users and what they become', 'Secrets in plain text']) {
    const table = page.getByRole('region', { name: caption });
    expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  }
});

/** Whether all of it can be seen in the part that scrolls. */
async function isWithin(inner: Locator, scroller: Locator): Promise<boolean> {
  const [one, other] = await Promise.all([inner.boundingBox(), scroller.boundingBox()]);
  return (
    one !== null &&
    other !== null &&
    one.y >= other.y &&
    one.y + one.height <= other.y + Math.ceil(other.height)
  );
}

test('its own kubeconfig: kubectl works by the two lines that the page says, and the file stays', async () => {
  await openStage();
  const before = text();
  const page = await open('/import');
  await page.getByRole('radio', { name: /Create a separate kubeconfig/ }).click();
  await page.getByText('your files keep their copies').waitFor();
  await button(page, 'Import').click();
  await heading(page, held).waitFor();
  await confirm();
  await heading(page, '2 clusters imported').waitFor();
  const lines = await page.locator('main code').allTextContents();
  expect(lines).toEqual([
    expect.stringMatching(/KUBECONFIG=/),
    expect.stringMatching(/^kubectl .*get pods$/),
  ]);
  const { newest } = findKubectls();
  const found = 'kubectl() { "$K" "$@"; }';
  const shell = (line: string) =>
    run('sh', ['-c', [found, lines[0], line].join('\n')], { env: { ...stage.home.env, K: newest.path } });
  const done = await shell(lines[1] ?? '');
  mustBeGood(done);
  expect(stage.api.requests.at(-1)?.user).toBe('bot');
  // Not by the token that the old file still has.
  const shown = await shell(`${lines[1]?.replace('get pods', 'config view --minify')} -o yaml`);
  expect(shown.stdout).toContain('kube-credential');
  expect(text()).toBe(before);
});

test('the complete import by the keyboard alone, and its undo', async () => {
  await openStage();
  const before = text();
  const page = await open();
  await tabTo(page, button(page, 'Review details'));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('checkbox', { name: /bot-2/ }));
  await page.keyboard.press('Space');
  await page.getByText('Contexts: 1 of 2 selected').waitFor();
  await page.getByText(/^Import 1 account and 1 cluster/).waitFor();
  await tabTo(page, button(page, 'Import'));
  await page.keyboard.press('Enter');
  await heading(page, held).waitFor();
  await confirm();
  await heading(page, '1 cluster imported').waitFor();
  expect(text()).toContain('kube-credential');
  await tabTo(page, button(page, 'Import another file'));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('tab', { name: 'Import', exact: true }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await tabTo(page, button(page, 'Restore'));
  await restoreFile(stage.agent, browser, () => page.keyboard.press('Enter'));
  await page.getByText('Nothing to undo').waitFor();
  expect(text()).toBe(before);
});

test('a server whose identity isn’t checked is left out until the user selects it', async () => {
  await openStage((own) =>
    kubeconfig({
      cluster: `{server: "${own.api.server}", insecure-skip-tls-verify: true}`,
      contexts: bots,
      users: bot(own),
    }),
  );
  const page = await open();
  const box = page.getByRole('checkbox', { name: /without TLS verification/ });
  await box.waitFor();
  expect(await box.isChecked()).toBe(false);
  await page.getByText('2 contexts are not imported').waitFor();
  expect(await button(page, 'Import').isDisabled()).toBe(true);
  await expectAccessible(page);
  await box.check();
  await button(page, 'Import').click();
  await heading(page, held).waitFor();
  await confirm();
  await heading(page, '1 cluster imported').waitFor();
  expect(text()).not.toContain(stage.botToken);
});

test('locked while it is pending: the page says so, nothing is edited, and after the unlock it continues', async () => {
  await openStage();
  const before = text();
  const page = await open();
  await button(page, 'Import').click();
  await heading(page, held).waitFor();
  await expectAccessible(page);
  mustBeGood(await stage.lanyard(['lock']));
  await heading(page, 'Locked').waitFor();
  await page
    .getByText('Unlock to let kubectl and other tools use your credentials', { exact: false })
    .waitFor();
  expect(text()).toBe(before);
  await page.getByText('Your import will continue').waitFor();
  await expectAccessible(page);
  const passphrase = stage.home.write('passphrase-again', `${stagePassphrase}\n`);
  mustBeGood(await stage.lanyard(['unlock', '--passphrase-file', passphrase]));
  await heading(page, held).waitFor();
  expect(text()).toBe(before);
  await confirm();
  await heading(page, '1 cluster imported').waitFor();
  expect(text()).not.toContain(stage.botToken);
});

test('every kind of user in one plan: each becomes what it is, or stays and says why', async () => {
  const password = 'canary-of-basic';
  await openStage((own) => {
    const { provider, opsCertificate, home } = own;
    const tokenFile = home.write('bot-token', own.botToken);
    const plugin = home.write('plugin', '#!/bin/sh\nexit 1\n');
    const names = ['bot', 'filed', 'ops', 'old-oidc', 'kubelogin', 'plugin', 'basic', 'torn'];
    return kubeconfig({
      cluster: trusted(own),
      contexts: names.map((name) => `{name: ${name}, context: {cluster: one, user: ${name}}}`),
      users: `${bot(own)}- name: filed
  user: {tokenFile: ${tokenFile}}
- name: ops
  user:
    client-certificate-data: ${base64(opsCertificate.chainPem)}
    client-key-data: ${base64(opsCertificate.keyPem)}
- name: old-oidc
  user:
    auth-provider:
      name: oidc
      config:
        idp-issuer-url: ${provider.issuer}
        client-id: ${provider.clientId}
        idp-certificate-authority-data: ${base64(provider.caPem ?? '')}
        refresh-token: canary-of-refresh
- name: kubelogin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: kubectl
      args: [oidc-login, get-token, --oidc-issuer-url=${provider.issuer}, --oidc-client-id=another]
      interactiveMode: IfAvailable
- name: plugin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ${plugin}
      args: [--for, one]
      env: [{name: API_KEY, value: canary-of-plugin}]
      interactiveMode: Never
- name: basic
  user: {username: admin, password: ${password}}
- name: torn
  user: {exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}}
`,
    });
  });
  const page = await open('/import');
  const users = page.getByRole('region', { name: 'Users and what they become' }).locator('tbody tr');
  await page.getByText('8 users', { exact: true }).waitFor();
  const rows = new Map<string, string>();
  for (const row of await users.all()) {
    const [name = '', ...others] = await row.locator('th, td').allTextContents();
    rows.set(name, others.join(' | '));
  }
  expect(Object.fromEntries(rows)).toEqual({
    bot: expect.stringMatching(/^static token \| account bot/),
    filed: expect.stringMatching(/^token file \/.* \| account filed/),
    ops: expect.stringMatching(/^client certificate \| account ops/),
    'old-oidc': expect.stringMatching(/^auth-provider oidc .* \| account old-oidc; log in once/),
    kubelogin: expect.stringMatching(/^kubelogin at .* \| account kubelogin; log in once/),
    plugin: expect.stringMatching(/^exec plugin .* \| account plugin/),
    basic: expect.stringMatching(/^user name and password \| Skipped: /),
    torn: expect.stringMatching(/^refused by kubectl: .* \| Skipped: /),
  });
  await page
    .locator('main')
    .getByText(/^.*--for one/)
    .filter({ visible: true })
    .first()
    .waitFor();
  await page.getByText('.kube/config · ', { exact: false }).click();
  await page.getByRole('region', { name: /Changes of/ }).waitFor();
  await expectAccessible(page);
  for (const secret of [stage.botToken, password, 'canary-of-refresh', 'canary-of-plugin']) {
    expect((await page.content()).includes(secret), 'a secret is in the page').toBe(false);
  }
  for (;;) {
    const yes = button(page, 'Yes');
    if ((await yes.count()) === 0) {
      break;
    }
    await yes.first().click();
  }
  await button(page, 'Import').click();
  await heading(page, held).waitFor();
  await confirm();
  await heading(page, '6 clusters imported. Now log in').waitFor();
  await expectAccessible(page);
  const after = text();
  for (const gone of [
    stage.botToken,
    'canary-of-refresh',
    'canary-of-plugin',
    base64(stage.opsCertificate.keyPem),
  ]) {
    expect(after.includes(gone), 'a secret is left in the file').toBe(false);
  }
  expect(after).toContain(password);
  expect(after).toMatch(/name: torn\n\s+user: \{exec/);
});
