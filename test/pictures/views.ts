import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { startOnTerminal } from '../support/pty.ts';
import { until } from '../support/stage.ts';
import type { Camera } from './camera.ts';
import { takeInventories } from './fleet.ts';
import type { World } from './world.ts';

/** Every view of a broker in use, one after the other. */
export async function takeViews(camera: Camera, world: World): Promise<void> {
  const { page } = camera;
  await camera.go('#/clusters', 'prod-eu');
  // The day's calls are read bit by bit: the strip has them all.
  await page.getByText(/^([6-9]\d|\d{3,}) calls this hour/).waitFor();
  await page.getByText('prod-eu').first().click();
  await page.getByText('Renewal history', { exact: true }).waitFor();
  await camera.take('clusters');
  await camera.go('#/clusters/prod-eu', 'Overview');
  await camera.take('cluster');
  await page.getByRole('tab', { name: 'Time' }).click();
  await page.getByText('Programs in this period').waitFor();
  await camera.take('cluster-time');
  await takeRequestProxy(camera);
  await takeInventories(camera);
  await takeRegistries(camera);
  await camera.go('#/accounts/corp', 'id.corp.example');
  await camera.take('account');
  await camera.go('#/metrics', 'Over time');
  await page.locator('.uplot canvas').first().waitFor();
  await camera.take('metrics');
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 450);
  await camera.take('metrics-time');
  await camera.go('#/activity', 'kubectl');
  await camera.take('activity');
  await camera.go('#/settings/check-up', 'Run checks');
  await page.getByRole('button', { name: 'Run checks' }).click();
  await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 });
  await camera.take('check-up');
  await camera.go('#/clusters', 'prod-eu');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('prod');
  await page.getByRole('option').first().waitFor();
  await camera.take('palette');
  await page.keyboard.press('Escape');
  await takeLogin(camera);
  await takeApproval(camera, world);
  await takeWindow(camera, world);
}

/** The list, one of them, and which credential an image gets. */
export async function takeRegistries(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('#/registries', 'docker-hub');
  await page.getByText('azure', { exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Image' }).fill('ghcr.io/corp/app:1.2');
  await page.keyboard.press('Enter');
  await page.getByRole('table').waitFor();
  await camera.take('registries');
}

/** What each step of a chain makes of a request. */
async function takeRequestProxy(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('#/clusters/payments', 'Overview');
  await page.getByRole('tab', { name: 'Requests' }).click();
  await page.getByRole('textbox', { name: 'Path' }).fill('/api/v1/namespaces/default/pods');
  await page.keyboard.press('Enter');
  await page.getByText('200 OK').waitFor();
  await page.getByText('Try a request').evaluate((title) => title.scrollIntoView());
  await camera.take('request-proxy');
}

async function takeLogin(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('#/accounts/corp-us', 'corp-us');
  await page
    .getByRole('button', { name: /^Log in/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Log in to corp-us' });
  await dialog.getByRole('link').first().waitFor();
  await camera.take('login');
  await dialog.getByRole('button', { name: 'Use a device code' }).click();
  await page.locator('output').waitFor();
  await camera.take('login-code');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

/** The real kubectl at a terminal asks; the page shows it, and is asked to say no. */
async function takeApproval(camera: Camera, { stage, env }: World): Promise<void> {
  await camera.go('#/clusters', 'prod-eu');
  const terminal = startOnTerminal('bash', ['-c', '"$K" --context prod-ap get pods; true'], {
    env: { ...stage.home.env, ...env, TERM: 'xterm' },
  });
  try {
    await terminal.waitForText('[y/N]');
    const card = camera.page.getByRole('region', { name: /wants to use/ });
    await card.waitFor();
    await card.getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
    await camera.take('approval');
    await card.getByRole('button', { name: 'Deny', exact: true }).click();
    await card.waitFor({ state: 'detached' });
  } finally {
    await terminal.dispose();
  }
}

/** A change that somebody made by an editor is held, and the broker's own window shows it. */
async function takeWindow(camera: Camera, { stage, opened }: World): Promise<void> {
  const text = readFileSync(stage.home.file('config'), 'utf8');
  stage.home.writeConfig(text.replace('"approval": "perTerminal"', '"approval": "15m"'));
  const before = opened().length;
  await camera.page.getByRole('button', { name: 'Review' }).click();
  await camera.page.getByRole('dialog').getByRole('button', { name: 'Review and approve…' }).click();
  const file = await until(() => opened()[before] ?? null, 'the window');
  const window = await camera.context.newPage();
  await window.goto(file.startsWith('/') ? pathToFileURL(file).href : file);
  await window.waitForURL(/^http:\/\/127\.0\.0\.1/);
  await camera.take('window', window);
  await window.getByRole('button', { name: 'Not now', exact: true }).click();
  await window.waitForLoadState();
  await window.close();
  stage.home.writeConfig(text);
}
