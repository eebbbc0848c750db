import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agree } from '../support/agree.ts';
import { findKubectls } from '../support/kubectl.ts';
import { mustBeGood, type Stage } from '../support/stage.ts';
import { isInApp } from './support/app-start.ts';
import { brokerIsGone } from './support/page-problems.ts';
import { untilAnswered, untilRead } from './support/press-when-read.ts';
import type { Traffic } from './support/traffic.ts';
import { openUiStage, type UiStage } from './support/ui-stage.ts';

let ui: UiStage;
let stage: Stage;
let page: Page;
let kubeconfig: string;
let traffic: Traffic;

beforeAll(async () => {
  ui = await openUiStage({
    // Else the login would go on in the browser that stands in for a person's.
    extend: (config, own) => {
      config.accounts['corp'] = own.oidcAccount(own.provider, { flow: 'device' });
    },
  });
  stage = ui.stage;
  await stage.setSecrets();
  await stage.logIn();
  kubeconfig = await stage.writeKubeconfig();
  ({ page, traffic } = await ui.openPage({ height: 900 }));
  await page.getByRole('heading', { name: 'Clusters', level: 1 }).waitFor();
});
afterAll(() => ui?.dispose());

const getPods = (context: string) =>
  stage.kubectl(findKubectls().newest, kubeconfig, ['--context', context, 'get', 'pods']);

const detail = (cluster: string) => page.getByRole('complementary', { name: `Cluster ${cluster}` });

async function open(cluster: string): Promise<void> {
  await page.evaluate((name) => {
    window.location.hash = `/clusters/${name}`;
  }, cluster);
  await detail(cluster).getByRole('heading', { name: cluster, level: 2 }).waitFor();
}

/** All that the broker sent to the page. */
const heard = () => traffic.heard.join('');

/** How often the broker answered that something is renewed. */
const renewals = () => heard().split('"output":{"renewed"').length - 1;

/** With the keyboard alone, as a person goes there. */
async function tabTo(on: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 100; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) {
      return;
    }
    await on.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${String(wanted)}`);
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
  for (const times of [1, 2]) {
    await detail('prod').getByRole('button', { name: 'Renew now' }).click();
    await expect.poll(renewals).toBe(times);
  }
  stage.api.rejectAll(true);
  await getPods('prod');
  stage.api.rejectAll(false);
  await tab('prod', 'Time');
  const table = detail('prod').getByRole('table', { name: 'Each credential, with its reason, newest first' });
  await expect.poll(() => table.getByText('Renewed on demand').count()).toBeGreaterThanOrEqual(2);
  await table.getByText('Rejected (401)').first().waitFor();
  expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Time', 'What', 'Lasted']);
  expect(await detail('prod').getByText('now', { exact: true }).count()).toBeGreaterThan(0);
  expect(
    await detail('prod')
      .getByRole('img', { name: /Valid since/ })
      .count(),
  ).toBe(1);
  const line = detail('prod').getByRole('group', { name: /^Timeline/ });
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await detail('prod').getByRole('status').last().textContent()).toMatch(/^(\w{3} )?\d\d:\d\d: \S/);
});

test('the renewal history is folded, and stays as it is left while the page is open', async () => {
  const history = (cluster: string) => detail(cluster).locator('details', { hasText: 'Renewal history' });
  await open('prod');
  await tab('prod', 'Overview');
  const summary = history('prod').locator('summary');
  await expect.poll(() => summary.textContent()).toMatch(/^Renewal history\d+$/);
  expect(await history('prod').getByRole('list').isVisible()).toBe(false);
  await summary.focus();
  await page.keyboard.press('Enter');
  const told = Number(await summary.locator('span').textContent());
  expect(told).toBeGreaterThan(2);
  expect(await history('prod').getByRole('listitem').count()).toBe(told);
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  await open('prod-ops');
  await expect.poll(() => history('prod-ops').getAttribute('open')).toBe('');
  await history('prod-ops').locator('summary').click();
  await expect.poll(() => history('prod-ops').getAttribute('open')).toBeNull();
});

test('the lane is zoomed by keys and wheel from an hour to a year, and moved by dragging', async () => {
  await open('prod');
  await tab('prod', 'Time');
  const line = detail('prod').getByRole('group', { name: /^Timeline/ });
  const span = () => detail('prod').getByRole('combobox', { name: 'Time range' }).inputValue();
  await line.focus();
  for (const next of ['day', 'week', 'month', 'year', 'year']) {
    await page.keyboard.press('-');
    await expect.poll(span).toBe(next);
  }
  for (const next of ['month', 'week', 'day', 'sixHours', 'hour', 'hour']) {
    await page.keyboard.press('+');
    await expect.poll(span).toBe(next);
  }
  await line.scrollIntoViewIfNeeded();
  const box = await line.boundingBox();
  if (!box) {
    throw new Error('no line of time');
  }
  const [x, y] = [box.x + box.width / 2, box.y + 18];
  await page.mouse.move(x, y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 100);
  await expect.poll(span).toBe('sixHours');
  await page.mouse.wheel(0, -100);
  await expect.poll(span).toBe('hour');
  await page.keyboard.up('Control');

  const now = detail('prod').getByRole('button', { name: 'Now', exact: true });
  expect(await now.count()).toBe(0);
  const asked = () => traffic.sent.filter((each) => each.includes('"cluster.lane"')).length;
  const before = asked();
  await page.mouse.down();
  for (let step = 1; step <= 100; step++) {
    await page.mouse.move(x + step * 2, y);
  }
  await page.mouse.up();
  await now.waitFor();
  await expect.poll(asked).toBeGreaterThan(before);
  // A page that asked at each step would say more than it may.
  expect(asked() - before).toBeLessThan(50);
  await now.click();
  await now.waitFor({ state: 'detached' });
});

test('who am I there: as the server says, and why not', async () => {
  await open('prod');
  await tab('prod', 'Credential');
  const ask = detail('prod').getByRole('button', { name: 'Check', exact: true });
  await ask.focus();
  await page.keyboard.press('Enter');
  await detail('prod').locator('dd strong').waitFor();
  stage.api.rejectAll(true);
  await detail('prod').getByRole('button', { name: 'Check again' }).click();
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
  expect(heard()).not.toContain(stage.botToken);
  expect(heard()).not.toMatch(/PRIVATE KEY/);
  expect(heard()).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}/);
});

test('an edit is pending until it is approved on a terminal, and says what applies until then', async () => {
  await open('prod-bot');
  await tab('prod-bot', 'Settings');
  await detail('prod-bot').getByLabel('Require approval').selectOption('always');
  await detail('prod-bot').getByRole('button', { name: 'Save' }).click();
  await detail('prod-bot').getByRole('heading', { name: 'Pending approval' }).waitFor();
  await detail('prod-bot').getByText('+ approval: always (applies now)').waitFor();
  await detail('prod-bot').getByText('Lanyard works with the settings that you approved before').waitFor();
  expect(readFileSync(stage.home.file('config'), 'utf8')).toContain('always');
  const approved = await agree(stage.onTerminal(['confirm']));
  expect(approved.code, approved.shown).toBe(0);
  await detail('prod-bot').getByRole('heading', { name: 'Pending approval' }).waitFor({ state: 'detached' });
});

test('a removal is undone, and needs no new approval', async () => {
  await open('prod-ops');
  await tab('prod-ops', 'Settings');
  await detail('prod-ops').getByRole('button', { name: 'Remove prod-ops' }).click();
  await page.getByText('prod-ops is removed').waitFor();
  expect(readFileSync(stage.home.file('config'), 'utf8')).not.toContain('prod-ops:');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('prod-ops restored').waitFor();
  mustBeGood(await getPods('prod-ops'));
});

test.each(['nowhere', 'constructor', '__proto__', 'toString', '%25', 'a/b'])(
  'a name that doesn’t exist says so: %s',
  async (name) => {
    await page.evaluate((to) => {
      window.location.hash = `/clusters/${encodeURIComponent(to)}`;
    }, name);
    await page.getByText(`There is no cluster named ${name}`).waitFor();
  },
);

test('a cluster is added by the keyboard alone, with a CA that is pasted, up to its first kubectl', async () => {
  await page.evaluate(() => {
    location.hash = '/clusters/+new';
  });
  const form = page.getByRole('complementary');
  const field = (name: string) => form.getByLabel(name, { exact: true });
  await tabTo(page, field('Name'));
  await page.keyboard.type('prod');
  await form.getByText('There is a cluster of that name already.').waitFor();
  await page.keyboard.type('-new');
  await tabTo(page, field('Server'));
  await page.keyboard.type(stage.api.server.replace('https:', 'http:').replace('127.0.0.1', '10.0.0.1'));
  // Not the field's own hint, which has https:// in it as well.
  await form.getByText('Must be https').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(stage.api.server);
  await tabTo(page, field('Account'));
  await page.keyboard.type('bot');
  await tabTo(page, field('Certificate authority'));
  await page.keyboard.press('End');
  await tabTo(page, field('CA'));
  await page.keyboard.insertText(`${stage.api.caPem}-----BEGIN PRIVATE KEY-----\ncanary-key\n`);
  await form.getByText('There is a private key in it: only certificates belong here.').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(Buffer.from(stage.api.caPem).toString('base64'));
  await tabTo(page, form.getByRole('button', { name: 'Add the cluster' }));
  await page.keyboard.press('Enter');
  await detail('prod-new').getByRole('heading', { name: 'prod-new', level: 2 }).waitFor();
  expect(traffic.sent.join('\n')).not.toContain('canary-key');

  // Held: no kubeconfig names it.
  expect(readFileSync(await stage.writeKubeconfig(), 'utf8')).not.toContain('prod-new');
  await tab('prod-new', 'Settings');
  const confirm = detail('prod-new').getByRole('button', { name: 'Review and approve…' });
  await tabTo(page, confirm);
  const window = await ui.ownWindow(() => page.keyboard.press('Enter'));
  const take = window.getByRole('button', { name: 'Approve' });
  await take.waitFor();
  await untilRead(window);
  await tabTo(window, take);
  await window.keyboard.press('Enter');
  await untilAnswered(window, /approved$/);
  await confirm.waitFor({ state: 'detached' });
  const written = async () => readFileSync(await stage.writeKubeconfig(), 'utf8');
  await expect.poll(written).toContain('prod-new');
  mustBeGood(await getPods('prod-new'));
});

// The app's window ends with its broker.
test.skipIf(isInApp)(
  'the broker is killed and back: what was there stays, and it keeps working',
  async () => {
    const own = await ui.openPage({ at: '#/clusters/prod-ops' });
    own.problems.allow(brokerIsGone);
    const aside = own.page.getByRole('complementary', { name: 'Cluster prod-ops' });
    await aside.getByRole('tab', { name: 'Credential' }).click();
    await aside
      .getByText(/CN=olga/)
      .first()
      .waitFor();
    await page.goto('about:blank');
    await stage.agent.kill();
    await own.page.getByText('Can’t reach Lanyard.').waitFor();
    expect(await aside.getByText(/CN=olga/).count()).toBeGreaterThan(0);
    const check = aside.getByRole('button', { name: 'Check', exact: true });
    expect(await check.isDisabled()).toBe(true);
    await stage.startAgent();
    await own.page.getByText('Can’t reach Lanyard.').waitFor({ state: 'detached' });
    mustBeGood(await getPods('prod-ops'));
    await aside
      .getByText(/CN=olga/)
      .first()
      .waitFor();
    await check.click();
    await aside.locator('dd strong').waitFor();
  },
);

test('locked, nothing of a credential stays in the page', async () => {
  const own = await ui.openPage({ at: '#/clusters/prod-ops' });
  const aside = own.page.getByRole('complementary', { name: 'Cluster prod-ops' });
  await aside.getByRole('tab', { name: 'Credential' }).click();
  await aside
    .getByText(/CN=olga/)
    .first()
    .waitFor();
  mustBeGood(await stage.lanyard(['lock']));
  await own.page.getByRole('heading', { name: 'Locked' }).waitFor();
  expect(await own.page.content()).not.toContain('olga');
});
