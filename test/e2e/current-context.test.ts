import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, type Stage } from '../support/stage.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { openUiStage, type UiStage } from './support/ui-stage.ts';

/** The current context, set from a cluster's page: asked in the broker's own window, seen by a real kubectl. */
let ui: UiStage;
let stage: Stage;
let page: Page;
let file: string;

beforeAll(async () => {
  ui = await openUiStage();
  stage = ui.stage;
  await stage.setSecrets();
  file = join(stage.home.env['HOME'] ?? '', '.kube', 'config');
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(await stage.writeKubeconfig(), file);
  ({ page } = await ui.openPage({ height: 900 }));
  page.setDefaultTimeout(15_000);
  await page.getByRole('row', { name: 'prod-bot' }).dblclick();
}, 120_000);
afterAll(() => ui?.dispose());

const current = () =>
  stage
    .kubectl(findKubectls().newest, file, ['config', 'current-context'])
    .then(({ stdout }) => stdout.trim());
const set = () => page.getByRole('button', { name: 'Set as current context' });

test('a Cancel changes nothing; a Yes switches kubectl, and the page says so', async () => {
  const before = readFileSync(file, 'utf8');
  const first = await ui.ownWindow(() => set().click());
  await first.getByRole('heading', { name: 'Switch kubectl to prod-bot?' }).waitFor();
  expect(await accessibilityViolations(first)).toEqual([]);
  await first.getByRole('button', { name: 'Cancel' }).click();
  await first.getByRole('heading', { name: 'Nothing was changed' }).waitFor();
  expect(readFileSync(file, 'utf8')).toBe(before);

  const second = await ui.ownWindow(() => set().click());
  await second.getByRole('button', { name: 'Switch' }).click();
  await second.getByRole('heading', { name: 'kubectl uses prod-bot' }).waitFor();
  expect(await current()).toBe('prod-bot');
  await page.getByText('Current context').waitFor();
  expect(await set().count()).toBe(0);
  mustBeGood(await stage.kubectl(findKubectls().newest, file, ['get', 'pods']));
});
