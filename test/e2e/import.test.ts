import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agree } from '../support/agree.ts';
import { isLong } from '../support/long.ts';
import { Stage } from '../support/stage.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { appStart } from './support/app-start.ts';
import { openLanyard } from './support/opened-page.ts';
import { restoreFile } from './support/restore-file.ts';
import { sharedChromium } from './support/shared-chromium.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

let stage: Stage;
let browser: Browser;
let page: Page;
let file: string;
/** All that the page's carrier carried, in both directions. */
let traffic: () => string;

/** An empty home, and later the kubeconfig of somebody with a token in plain text. */
beforeAll(async () => {
  browser = await sharedChromium();
  stage = await Stage.open({
    startAgent: appStart,
    extend: (config, own) => {
      config.accounts = {};
      config.clusters = {};
      const folder = join(String(own.home.env['HOME']), '.kube');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      file = join(folder, 'config');
    },
  });
  ({ page, traffic } = await openLanyard(stage, browser));
});
afterAll(() => stage?.dispose());

/** The page at one of its views, loaded anew, with this kubeconfig. Nothing is imported yet. */
async function begin(hash: string, text = kubeconfig(stage)): Promise<void> {
  writeFileSync(file, text, { mode: 0o600 });
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.reload();
}

function kubeconfig({ api, botToken }: Omit<Stage, 'agent'>, contexts = 2): string {
  const names = Array.from({ length: contexts }, (_, index) => `bot-${index + 1}`);
  return `# mine
apiVersion: v1
kind: Config
current-context: bot-1
clusters:
- name: one
  cluster: {server: "${api.server}", certificate-authority-data: ${base64(api.caPem)}}
contexts:
${names.map((name) => `- {name: ${name}, context: {cluster: one, user: bot, namespace: ${name}}}`).join('\n')}
users:
- name: bot
  user: {token: ${botToken}}
`;
}

async function expectNoViolation(): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([]);
}

test('what has no yes is left out, and only what was shown is done', async () => {
  await begin('#/import');
  await page.emulateMedia({ colorScheme: 'dark' });
  const button = page.getByRole('button', { name: 'Import', exact: true });
  const trust = page.getByRole('checkbox', { name: /^Trust the server/ });
  await trust.waitFor();
  // kubectl trusts the servers of the user's own kubeconfig already.
  expect(await trust.isChecked()).toBe(true);
  await expectNoViolation();
  await trust.uncheck();
  await page.getByText('2 contexts are not imported').waitFor();
  expect(await button.isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: /^bot-2/ }).click();
  await page.getByText('Contexts: 1 of 2 selected').waitFor();
  await trust.check();
  await page.getByText(/^Import 1 account and 1 cluster/).waitFor();
  // Somebody writes into the file between the plan and its doing.
  const changed = `${readFileSync(file, 'utf8')}# meanwhile\n`;
  writeFileSync(file, changed);
  await button.click();
  await page.getByText('has changed since the plan was shown').waitFor();
  expect(readFileSync(file, 'utf8')).toBe(changed);
  expect((await stage.home.lanyard(['cluster', 'list'])).stdout).not.toContain('bot-1');
});

test('a pending import is undone with one click, and can be planned again', async () => {
  await begin('#/clusters');
  const before = readFileSync(file, 'utf8');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'One last step: approve the import' }).waitFor();
  await page.getByRole('button', { name: 'Cancel import' }).click();
  // A plan of what is there now.
  await page.getByText('Contexts: 2 of 2 selected').waitFor();
  const status = JSON.parse((await stage.home.lanyard(['status', '--json'])).stdout);
  expect(status.held).toEqual([]);
  expect(status.accounts).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(readFileSync(stage.home.file('config'), 'utf8')).not.toContain('bot');
});

test('a broken kubeconfig is shown by its line, and nothing is imported of it', async () => {
  await begin('#/clusters', 'apiVersion: v1\nkind: Config\nusers: [\n');
  await page.getByText('This kubeconfig has errors.').waitFor();
  await page.getByText(/\.kube\/config:\d+/).waitFor();
  await page.getByRole('button', { name: 'Choose another file…' }).click();
  await page.getByText('Fix the file’s errors to continue').waitFor();
  expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
});

const many = isLong ? 1_000 : 150;

test(`${many} contexts are planned, filtered and chosen from`, async () => {
  await begin('#/import', kubeconfig(stage, many));
  await page.getByText(`Contexts: ${many} of ${many} selected`).waitFor();
  await page.getByRole('button', { name: 'None' }).click();
  await page.getByText(`Contexts: 0 of ${many} selected`).waitFor();
  await page.getByRole('searchbox', { name: 'Filter contexts' }).fill('bot-77');
  await page.getByRole('checkbox', { name: /^bot-77(?!\d)/ }).click();
  await page.getByText(/Import 1 account and 1 cluster/).waitFor();
});

test('from an empty home to an edited kubeconfig, approved on a terminal, and its undo, which a terminal alone has of a changed file', async () => {
  await begin('#/clusters');
  const before = readFileSync(file, 'utf8');
  await page.getByText('and 1 user in', { exact: false }).waitFor();
  await expectNoViolation();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'One last step: approve the import' }).waitFor();
  // Held: neither is anything in force, nor is the person's file another one (rule: confirmed-binding).
  expect(readFileSync(file, 'utf8')).toBe(before);
  const refused = await stage.home.lanyard(['status', '--json']);
  expect(JSON.parse(refused.stdout).held.length).toBeGreaterThan(0);
  expect((await agree(stage.onTerminal(['confirm']))).code).toBe(0);
  await page.getByRole('heading', { name: '1 cluster imported' }).waitFor();
  await page.getByText('kubectl get pods', { exact: true }).waitFor();
  await expectNoViolation();
  expect(readFileSync(file, 'utf8')).not.toContain(stage.botToken);
  expect(readFileSync(file, 'utf8')).toContain('# mine');

  await page.getByRole('button', { name: 'Import another file' }).click();
  await page.getByText('Nothing new to import.').waitFor();
  const imported = readFileSync(file, 'utf8');
  writeFileSync(file, `${imported}# mine, since\n`);
  await page.getByRole('tab', { name: 'Undo' }).click();
  await page.getByText('it has been changed since').waitFor();
  expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0);
  await page.getByText('lanyard kubeconfig undo', { exact: false }).waitFor();

  writeFileSync(file, imported);
  await page.getByRole('tab', { name: 'Import', exact: true }).click();
  await page.getByRole('tab', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Show the difference' }).click();
  await page.getByRole('region', { name: /What would change/ }).waitFor();
  await expectNoViolation();
  await restoreFile(stage.agent, browser, () => page.getByRole('button', { name: 'Restore' }).click());
  await page.getByText('Nothing to undo').waitFor();
  expect(readFileSync(file, 'utf8')).toBe(before);

  // The page never had what is secret.
  expect(traffic()).toContain('import.');
  expect(traffic()).not.toContain(stage.botToken);
  expect(await page.content()).not.toContain(stage.botToken);
});
