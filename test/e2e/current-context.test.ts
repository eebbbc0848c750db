import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, type Stage } from '../support/stage.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { pressWhenRead, untilAnswered } from './support/press-when-read.ts';
import { openUiStage, type UiStage } from './support/ui-stage.ts';

/**
 * Where kubectl goes, from a cluster's page (rule: approval-outside-page): the current context, and a terminal. Asked in the broker's own window, seen
 * by a real kubectl. The terminal program is a stand-in without a window, which runs what a real one would.
 */
let ui: UiStage;
let stage: Stage;
let page: Page;
let file: string;
/** What the stand-in's shell printed. */
let seen: string;

beforeAll(async () => {
  ui = await openUiStage({
    extend: (config, { home }) => {
      seen = home.write('seen', '');
      const shell = home.write(
        'shell',
        `#!/bin/sh\nif [ "$1" = -i ]; then eval "$3"; exit; fi\n"$K" config get-contexts -o name\n"$K" get pods -o name\n`,
      );
      const program = `#!/bin/sh\nK='${findKubectls().newest.path}' SHELL='${shell}'\nexport K SHELL\n"$@" >'${seen}' 2>&1\n`;
      chmodSync(shell, 0o700);
      const terminal = home.write('terminal', program);
      chmodSync(terminal, 0o700);
      config.terminal = { command: [terminal] };
    },
  });
  stage = ui.stage;
  await stage.setSecrets();
  file = join(stage.home.env['HOME'] ?? '', '.kube', 'config');
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(await stage.writeKubeconfig(), file);
  ({ page } = await ui.openPage({ height: 900 }));
  await page.getByRole('row', { name: 'prod-bot' }).dblclick();
});
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
  await untilAnswered(first, 'Nothing was changed');
  expect(readFileSync(file, 'utf8')).toBe(before);

  const second = await ui.ownWindow(() => set().click());
  await pressWhenRead(second, 'Switch');
  await untilAnswered(second, 'kubectl uses prod-bot');
  expect(await current()).toBe('prod-bot');
  await page.getByText('Current context').waitFor();
  expect(await set().count()).toBe(0);
  mustBeGood(await stage.kubectl(findKubectls().newest, file, ['get', 'pods']));
});

test('a terminal whose kubectl goes to that cluster alone; the current context stays', async () => {
  const before = readFileSync(file, 'utf8');
  await page.getByRole('row', { name: 'prod-ops' }).dblclick();
  const window = await ui.ownWindow(() => page.getByRole('button', { name: 'Open terminal' }).click());
  await window.getByRole('heading', { name: 'Open a terminal for prod-ops?' }).waitFor();
  expect(await accessibilityViolations(window)).toEqual([]);
  await pressWhenRead(window, 'Open');
  await untilAnswered(window, 'Terminal opened');
  await expect
    .poll(() => readFileSync(seen, 'utf8'))
    .toMatch(/^kubectl uses prod-ops \(https:.*\) in this terminal\.\nprod-ops\npod\//);
  expect(readFileSync(file, 'utf8')).toBe(before);
  // It went with the shell.
  await expect.poll(() => readdirSync(stage.home.file('terminals'))).toEqual([]);
});
