import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addHub, InventoryHub, type ProfileObject, profileObject } from '../support/inventory-hub.ts';
import { findKubectls } from '../support/kubectl.ts';
import type { KubernetesApi } from '../support/kubernetes-api.ts';
import { isLong } from '../support/long.ts';
import { mustBeGood, type Stage } from '../support/stage.ts';
import { brokerIsGone } from './support/page-problems.ts';
import { pressWhenRead, untilAnswered } from './support/press-when-read.ts';
import { openUiHome, openUiStage, type UiStage } from './support/ui-stage.ts';

/** The Inventories view over a real broker, from a hub’s profiles to kubectl. */
let ui: UiStage;
let stage: Stage;
let page: Page;
let hubApi: KubernetesApi;
const hub = new InventoryHub();

/** A profile whose cluster is the stage’s own API server. */
const ofStage = (name: string, more: Partial<ProfileObject> = {}) =>
  profileObject('team', name, {
    status: {
      properties: [{ name: 'clusterset.k8s.io', value: 'prod' }],
      accessProviders: [
        {
          name: 'robots',
          cluster: {
            server: stage.api.server.replace('127.0.0.1', 'localhost'),
            'certificate-authority-data': Buffer.from(stage.api.caPem).toString('base64'),
          },
        },
      ],
    },
    ...more,
  });

beforeAll(async () => {
  ui = await openUiStage({
    extend: async (config, parts) => {
      hubApi = await addHub(config, parts, hub);
      config.inventories = {
        fleet: {
          cluster: 'hub',
          providers: [{ name: 'robots', account: 'bot' }],
          servers: ['localhost'],
          contexts: 3,
        },
      };
    },
  });
  stage = ui.stage;
  await stage.setSecrets();
  hub.put(...['eu', 'us', 'ap', 'sa', 'me'].map((name) => ofStage(name)));
  hub.put(profileObject('other', 'without-account'));
  ({ page } = await ui.openPage({ height: 1000, width: 1500 }));
  await page.getByRole('link', { name: 'Inventories' }).click();
  await row('team/eu').waitFor();
});
afterAll(async () => {
  await ui?.dispose();
  await hubApi?.dispose();
});

const grid = () => page.getByRole('grid', { name: 'Profiles' });
const row = (name: string) => grid().getByRole('row', { name });
const selected = () => page.getByRole('region', { name: 'Selected profiles' });
const kubeconfig = () => stage.home.file('kubeconfig');
const written = () => (existsSync(kubeconfig()) ? readFileSync(kubeconfig(), 'utf8') : '');
const pods = (context: string) =>
  stage.kubectl(findKubectls().newest, kubeconfig(), ['--context', context, 'get', 'pods', '-A']);

/** Approves in the broker’s own window all that is pending. */
async function approve(): Promise<void> {
  const window = await ui.ownWindow(() =>
    page
      .getByRole('region', { name: 'Added contexts' })
      .getByRole('button', { name: 'Review and approve…' })
      .click(),
  );
  await pressWhenRead(window, 'Approve');
  await untilAnswered(window, /approved$/);
}

test('shows each source, its profiles, and all of one', async () => {
  const source = page.getByRole('list', { name: 'Sources' });
  await source.getByText(/Live, as of/).waitFor();
  await source.getByText('6 profiles: 1 can’t be used').waitFor();
  await row('other/without-account').click();
  const panel = page.getByRole('complementary', { name: 'Profile other/without-account' });
  await panel.getByText(/^The profile lists only access providers/).waitFor();
  await row('team/eu').click();
  const eu = page.getByRole('complementary', { name: 'Profile team/eu' });
  await eu.getByText('robots is the only provider that the profile lists.').waitFor();
  await eu.getByText('Would be the context eu.').waitFor();
  await source.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('fleet is in sync').waitFor();
});

test('with the keyboard alone: found, two selected, added, approved, and used by kubectl', async () => {
  await page.keyboard.press('/');
  await page.keyboard.type('team/');
  await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('6');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await selected().getByText('2 selected').waitFor();
  expect(await row('team/ap').getAttribute('aria-selected')).toBe('true');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add to kubectl');
  await page.keyboard.press('Enter');
  await page.getByText('2 contexts are added, and pending approval.').waitFor();
  await row('team/eu').getByText('Pending approval').waitFor();
  expect(written()).not.toContain('name: eu');
  await approve();
  await row('team/eu').getByText('In use').waitFor();
  await row('team/ap').getByText('In use').waitFor();
  mustBeGood(await pods('eu'));
  expect(
    await page.getByRole('region', { name: 'Added contexts' }).count(),
    'the notice stays after the approval',
  ).toBe(0);
});

test('more than the inventory may have are said before they are added', async () => {
  await grid().focus();
  await page.keyboard.press('Control+a');
  await selected().getByText('5 selected').waitFor();
  await selected()
    .getByText(/^fleet may have 3 contexts: it has 2, and 3 more are selected/)
    .waitFor();
  const add = selected().getByRole('button', { name: 'Add 3 to kubectl' });
  expect(await add.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await selected().waitFor({ state: 'detached' });
});

test('one is removed and added again; its cluster says where it is from, and has no form', async () => {
  await row('team/eu').click();
  const panel = page.getByRole('complementary', { name: 'Profile team/eu' });
  await panel.getByRole('button', { name: 'Open cluster' }).click();
  const cluster = page.getByRole('complementary', { name: 'Cluster eu' });
  await cluster.getByText('From the inventory fleet: team/eu').waitFor();
  await cluster.getByRole('tab', { name: 'Settings' }).click();
  await cluster.getByRole('heading', { name: 'From an inventory' }).waitFor();
  expect(await cluster.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await cluster.getByRole('link', { name: 'team/eu' }).first().click();
  await page.getByRole('heading', { name: 'team/eu', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Remove from kubectl' }).click();
  await page.getByText('eu removed from kubectl').waitFor();
  await expect.poll(written).not.toContain('name: eu');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Pending approval', { exact: true }).first().waitFor();
  await page.keyboard.press('Escape');
  await row('team/eu').getByText('Pending approval').waitFor();
  await row('team/eu').click();
  await page
    .getByRole('complementary', { name: 'Profile team/eu' })
    .getByRole('button', { name: 'Remove from kubectl' })
    .click();
  await row('team/eu').getByText('Available').waitFor();
  // Back from a profile, the list is at it, and has the focus.
  await row('team/me').click();
  await grid().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'team/me', level: 1 }).waitFor();
  await page.keyboard.press('Escape');
  await row('team/me').waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Profiles');
  expect(await grid().getAttribute('aria-activedescendant')).toBe(await row('team/me').getAttribute('id'));
});

/** Of each of ten files. */
const perFile = isLong ? 1_000 : 150;
const all = 10 * perFile;
const end = String(perFile - 1).padStart(4, '0');

test(`${all} profiles: the last one and any other is reached, and few rows are drawn`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-fleet-'));
  for (let file = 0; file < 10; file += 1) {
    const items = Array.from({ length: perFile }, (_, index) =>
      profileObject(`team-${file}`, `c-${String(index).padStart(4, '0')}`),
    );
    writeFileSync(join(folder, `${file}.json`), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  }
  const own = await openUiHome({
    config: {
      version: 1,
      accounts: { bot: { staticToken: {} } },
      clusters: {},
      inventories: { big: { files: [folder], providers: [{ name: 'google', account: 'bot' }] } },
    },
  });
  try {
    const { page: many, problems } = await own.openPage({ at: '#/inventories?group=namespace' });
    // Its broker ends before it does.
    problems.allow(brokerIsGone);
    const list = many.getByRole('grid', { name: 'Profiles' });
    const drawn = () => list.getByRole('row').count();
    const at = (name: string) => list.getByRole('row', { name });
    await expect.poll(() => list.getAttribute('aria-rowcount')).toBe(String(all + 11));
    await list.focus();
    await many.keyboard.press('End');
    await at(`team-9/c-${end}`).waitFor();
    const last = await at(`team-9/c-${end}`).getAttribute('id');
    expect(await list.getAttribute('aria-activedescendant')).toBe(last);
    expect(await drawn()).toBeLessThan(60);
    // To the middle of the list, as by the scroll bar.
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await at('team-5/c-0000').waitFor();
    expect(await drawn()).toBeLessThan(60);
    await many.keyboard.press('/');
    await many.keyboard.type('team-7 0123');
    await expect.poll(() => list.getAttribute('aria-rowcount')).toBe('3');
    await at('team-7/c-0123').waitFor();
    expect(await list.evaluate((element) => element.scrollTop)).toBe(0);
    await many.keyboard.press('Escape');
    await expect.poll(() => list.getAttribute('aria-rowcount')).toBe(String(all + 11));
    await many.keyboard.press('Control+a');
    await many.getByText(`1,000 of ${all.toLocaleString('en-US')} profiles are selected`).waitFor();
    await many.getByText('big may have 200 contexts').waitFor();
  } finally {
    await own.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an inventory is added by the form, pending until it is approved, changed, removed and restored', async () => {
  await page.getByRole('link', { name: 'Inventories' }).click();
  await page.getByRole('button', { name: 'Add an inventory' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('local');
  await page.getByRole('button', { name: 'Add the inventory' }).click();
  await page.getByText('Name each provider, as profiles do.').waitFor();
  await page.getByRole('combobox', { name: 'Profiles come from' }).selectOption('files');
  await page
    .getByRole('textbox', { name: 'Files and folders' })
    .fill(stage.home.write('local.json', JSON.stringify(profileObject('here', 'one'))));
  await page.getByRole('textbox', { name: 'Name of provider 1' }).fill('google');
  await page.getByRole('combobox', { name: 'Account of google' }).selectOption('bot');
  await page.getByRole('button', { name: 'Add the inventory' }).click();
  await page.getByRole('heading', { name: 'local', level: 1 }).waitFor();
  const source = page.getByRole('list', { name: 'Sources' });
  await source.getByText('Pending approval: not read until you approve it').waitFor();
  const window = await ui.ownWindow(() =>
    source.getByRole('button', { name: 'Review and approve…' }).click(),
  );
  await pressWhenRead(window, 'Approve');
  await row('here/one').waitFor();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings of local' }).waitFor();
  await page.getByRole('textbox', { name: 'Contexts at most' }).fill('12');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => readFileSync(stage.home.file('config'), 'utf8')).toContain('contexts: 12');
  await page.getByRole('button', { name: 'Remove local' }).click();
  await page.getByText('local is removed').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('local restored').waitFor();
  await row('here/one').waitFor();
});
