import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agree } from '../support/agree.ts';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, type Stage } from '../support/stage.ts';
import { unless } from '../support/unless.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { isInApp } from './support/app-start.ts';
import { dropFile } from './support/drop-file.ts';
import { pressWhenRead, untilAnswered } from './support/press-when-read.ts';
import { allOf } from './support/traffic.ts';
import { openUiStage, type UiPage, type UiStage } from './support/ui-stage.ts';

/** A kubeconfig that is no file: pasted into a window of the broker's own, which no page reads (rule: page-without-secrets). */
let ui: UiStage;
let stage: Stage;
let opened: UiPage;
let page: Page;

beforeAll(async () => {
  ui = await openUiStage({
    extend: (config) => {
      config.accounts = {};
      config.clusters = {};
    },
  });
  stage = ui.stage;
  opened = await ui.openPage({ at: '#/import', height: 900 });
  ({ page } = opened);
});
afterAll(() => ui?.dispose());

const kubeconfig = () => `apiVersion: v1
kind: Config
clusters:
- name: team
  cluster: {server: "${stage.api.server}", certificate-authority-data: ${Buffer.from(stage.api.caPem).toString('base64')}}
contexts:
- {name: team, context: {cluster: team, user: robot}}
users:
- name: robot
  user: {token: ${stage.botToken}}
`;
const paste = () => ui.ownWindow(() => page.getByRole('button', { name: 'Paste…' }).click());

test(
  'what is dropped on a page of a browser isn’t read: the page says what to do',
  unless(isInApp ? 'the app reads it: test/e2e/desktop' : null),
  async () => {
    await page.getByRole('button', { name: 'Paste…' }).waitFor();
    await dropFile(page, stage.home.write('team.yaml', kubeconfig()));
    await page.getByRole('alert').getByText('A browser doesn’t tell where a dropped file is.').waitFor();
    expect(await page.getByRole('button', { name: 'Browse…' }).count()).toBe(0);
  },
);

test('a Cancel leaves the source as it was, and what is no kubeconfig is asked for again', async () => {
  const window = await paste();
  await page.getByText('Its secrets don’t pass through this page.').waitFor();
  await window.getByRole('heading', { name: 'Paste a kubeconfig' }).waitFor();
  expect(await accessibilityViolations(window)).toEqual([]);
  await window.getByLabel('Kubeconfig (YAML)').fill('kind: Pod');
  await pressWhenRead(window, 'Continue');
  await window.getByText('Line 1: kind must be Config: this is not a kubeconfig.').waitFor();
  expect(await window.getByLabel('Kubeconfig (YAML)').inputValue()).toBe('');
  await window.getByRole('button', { name: 'Cancel' }).click();
  await untilAnswered(window, 'Nothing was pasted');
  await page.getByText('Its secrets don’t pass through this page.').waitFor({ state: 'hidden' });
});

test('what is longer than a form may send is asked for again, and Cancel ends the page’s wait', async () => {
  const window = await paste();
  // Of the length that the field takes: encoded, with the other fields, it is over the form’s limit.
  await window.getByLabel('Kubeconfig (YAML)').fill(`a: ${'é'.repeat(262_000)}`);
  await pressWhenRead(window, 'Continue');
  await window.getByRole('alert').getByText('Too long: a form takes at most 256 KB.').waitFor();
  await window.getByRole('button', { name: 'Cancel' }).click();
  await untilAnswered(window, 'Nothing was pasted');
  await page.getByText('Its secrets don’t pass through this page.').waitFor({ state: 'hidden' });
});

test('it is planned, approved and used, and its secrets pass through no page and no file', async () => {
  const window = await paste();
  await window.getByLabel('Kubeconfig (YAML)').fill(kubeconfig());
  await pressWhenRead(window, 'Continue');
  await untilAnswered(window, 'Kubeconfig received');
  await page.getByText('pasted kubeconfig', { exact: true }).first().waitFor();
  await page.getByText('No file is edited.', { exact: false }).waitFor();
  await page
    .getByText('The given text has 1 secret. If it came from a file, that file still has it.')
    .waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  // It is from elsewhere: its server is trusted when the user says so.
  const trust = page.getByRole('checkbox', { name: /^Trust the server/ });
  expect(await trust.isChecked()).toBe(false);
  await trust.click();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'One last step: approve the import' }).waitFor();
  expect((await agree(stage.onTerminal(['confirm']))).code).toBe(0);
  await page.getByRole('heading', { name: '1 cluster imported' }).waitFor();
  await page.getByText('kubectl --context team get pods', { exact: true }).waitFor();

  const managed = stage.home.file('kubeconfig');
  mustBeGood(await stage.kubectl(findKubectls().newest, managed, ['--context', 'team', 'get', 'pods']));
  expect(stage.api.requests.at(-1)?.user).toBe('bot');
  expect(allOf(opened.traffic)).toContain('import.paste');
  expect(allOf(opened.traffic)).not.toContain(stage.botToken);
  for (const name of ['kubeconfig', 'config'] as const) {
    expect(readFileSync(stage.home.file(name), 'utf8')).not.toContain(stage.botToken);
  }
  expect(readFileSync(stage.home.file('kubeconfigs'), 'utf8')).not.toContain('pasted');
});
