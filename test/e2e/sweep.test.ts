import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profileObject } from '../support/inventory-hub.ts';
import { chosenPoints, isLong, seedInTitle } from '../support/long.ts';
import { makeYear } from '../support/year-of-history.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { everySize, inEachSize, type Size, settled } from './support/in-each-size.ts';
import { brokerIsGone } from './support/page-problems.ts';
import { rawWords } from './support/raw-words.ts';
import { type SamplePage, serveSamplePage } from './support/sample-page.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

/**
 * Every view and state: without violations of WCAG 2.2 AA in both themes and in forced colours, with all of its texts
 * to be read in windows of three widths and at twice the size, still for who asked for no motion, and without texts
 * that are the program’s own names. The long form looks at each in all of these ways; the ordinary one at each in one
 * way, and in another one at the next.
 */
let ui: UiHome;
let sample: SamplePage;
/** A folder with profiles. */
let fleet: string;

const longName = 'a-profile-with-quite-a-long-name-that-goes-on-and-on-and-on-to-its-end';

/** Profiles of all lengths, and one that can’t be used. */
function fleetProfiles(): object[] {
  return ['prod', 'dev', longName, 'without-status'].map((name, index) =>
    profileObject(index === 2 ? 'a-namespace-with-quite-a-long-name-that-goes-on' : 'team', name, {
      ...(index === 3
        ? { status: {} }
        : {
            status: {
              version: { kubernetes: '1.34.1' },
              properties: [
                { name: 'clusterset.k8s.io', value: index === 2 ? longName : 'prod' },
                { name: 'location', value: 'eu-central-1' },
              ],
              conditions: [
                {
                  type: 'ControlPlaneHealthy',
                  status: index === 1 ? 'False' : 'True',
                  reason: 'EtcdUnhealthy',
                  message: 'one of three members doesn’t answer',
                },
              ],
              accessProviders: [
                {
                  name: index === 2 ? 'a-provider-with-quite-a-long-name' : 'corp',
                  cluster: { server: `https://${name}.clusters.example.com:6443` },
                },
              ],
            },
          }),
    }),
  );
}

beforeAll(async () => {
  fleet = mkdtempSync(join(tmpdir(), 'lanyard-fleet-'));
  writeFileSync(
    join(fleet, 'fleet.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: fleetProfiles() }),
  );
  const server = (name: string) => `https://${name}.clusters.eu-central-1.example.com:6443`;
  ui = await openUiHome({
    config: {
      version: 1,
      accounts: {
        corp: { oidc: { issuer: 'https://127.0.0.1:9', clientId: 'lanyard' } },
        'a-bot-with-quite-a-long-name-that-somebody-gave-it': { staticToken: {} },
        ops: { clientCertificate: {} },
        images: { registry: { userName: 'corp-bot' } },
        eks: {
          execPlugin: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: '/usr/bin/true',
            args: ['--region', 'eu-central-1', '--cluster', 'a-cluster-with-quite-a-long-name'],
            interactiveMode: 'Never',
          },
        },
      },
      clusters: {
        prod: { server: server('prod'), account: 'corp', insecureSkipTlsVerify: true },
        dev: { server: server('dev'), account: 'ops', insecureSkipTlsVerify: true },
        stage: { server: server('stage'), account: 'eks', insecureSkipTlsVerify: true, approval: 'always' },
        'edge-of-the-world-with-quite-a-long-name-that-goes-on': {
          server: server('edge-of-the-world-with-quite-a-long-name-that-goes-on'),
          account: 'a-bot-with-quite-a-long-name-that-somebody-gave-it',
          insecureSkipTlsVerify: true,
        },
      },
      inventories: {
        fleet: {
          files: [fleet],
          providers: [
            { name: 'corp', account: 'corp' },
            { name: 'a-provider-with-quite-a-long-name', account: 'eks' },
          ],
          servers: ['*.clusters.eu-central-1.example.com'],
        },
        'an-inventory-with-quite-a-long-name-that-goes-on': {
          cluster: 'edge-of-the-world-with-quite-a-long-name-that-goes-on',
          providers: [{ name: 'corp', account: 'corp' }],
        },
      },
      registries: {
        ghcr: { matchImages: ['ghcr.io/team', 'ghcr.io/a-team-with-quite-a-long-name'], account: 'images' },
        'a-registry-with-quite-a-long-name-that-goes-on': {
          matchImages: ['*.azurecr.io', 'registry.with.quite.a.long.name.example.com:5000/and/a/long/path'],
          account: 'a-bot-with-quite-a-long-name-that-somebody-gave-it',
          calledAs: 'a-long-name',
          approval: 'perTerminal',
        },
      },
    },
  });
  await ui.agent().kill();
  for (const companion of ['', '-wal']) {
    rmSync(`${ui.home.file('history')}${companion}`, { force: true });
  }
  makeYear(ui.home.file('history'), { rows: 3000, now: Date.now(), days: 2, lifeMilliseconds: 3_600_000 });
  await ui.startAgent();
  sample = await serveSamplePage();
});
afterAll(async () => {
  await sample?.dispose();
  await ui?.dispose();
  rmSync(fleet, { recursive: true, force: true });
});

interface Spot {
  at: string;
  /** What is there when it is drawn. */
  sign: string | RegExp;
  /** What a person does there first. */
  act?(page: Page): Promise<void>;
}

const click = (role: 'button' | 'tab', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click();
const press = (keys: string) => (page: Page) => page.keyboard.press(keys);
async function askWhy(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Image' }).fill('corp.azurecr.io/team/app:1.2');
  await page.keyboard.press('Enter');
  await page.getByRole('table').waitFor();
}
async function selectAll(page: Page): Promise<void> {
  await page.getByRole('grid', { name: 'Profiles' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('region', { name: 'Selected profiles' }).waitFor();
}
const row = (name: string) => `#/clusters/${name}`;

/** Where a page of a real broker can be. */
const spots: readonly Spot[] = [
  { at: '#/clusters', sign: 'prod' },
  { at: '#/clusters?q=nowhere', sign: /Nothing|No cluster/ },
  { at: row('prod'), sign: 'Overview' },
  { at: row('prod'), sign: 'Overview', act: click('tab', 'Credential') },
  { at: row('prod'), sign: 'Overview', act: click('tab', 'Time') },
  { at: row('prod'), sign: 'Overview', act: click('tab', 'Settings') },
  { at: row('edge-of-the-world-with-quite-a-long-name-that-goes-on'), sign: 'Overview' },
  { at: row('new'), sign: 'Add a cluster' },
  { at: row('gone'), sign: /no cluster named/ },
  { at: '#/inventories', sign: 'team/prod' },
  { at: '#/inventories', sign: 'team/prod', act: selectAll },
  { at: '#/inventories?q=nowhere', sign: /Nothing matches/ },
  { at: '#/inventories/fleet?group=clusterset', sign: 'team/prod' },
  { at: '#/inventories/fleet/team/dev', sign: 'Would be the context' },
  {
    at: `#/inventories/fleet/a-namespace-with-quite-a-long-name-that-goes-on/${longName}`,
    sign: 'Would be the context',
  },
  { at: '#/inventories/fleet/team/gone', sign: /no profile team.gone/ },
  { at: '#/inventories/fleet/+settings', sign: 'Settings of fleet' },
  { at: '#/inventories/+new', sign: 'Add an inventory' },
  { at: '#/inventories/gone', sign: /no inventory named/ },
  { at: '#/registries', sign: 'ghcr' },
  { at: '#/registries', sign: 'ghcr', act: askWhy },
  { at: '#/registries/ghcr', sign: 'All registries', act: click('button', 'Test') },
  { at: '#/registries/a-registry-with-quite-a-long-name-that-goes-on', sign: 'All registries' },
  { at: '#/registries/+new', sign: 'Add a registry' },
  { at: '#/registries/+import', sign: 'Import registries' },
  { at: '#/registries/gone', sign: /no registry named/ },
  { at: '#/accounts', sign: 'corp' },
  { at: '#/accounts', sign: 'corp', act: click('button', 'Add an account') },
  ...['corp', 'ops', 'eks', 'a-bot-with-quite-a-long-name-that-somebody-gave-it', 'gone'].map((name) => ({
    at: `#/accounts/${name}`,
    sign: name,
  })),
  { at: '#/activity', sign: 'Activity' },
  { at: '#/metrics', sign: 'Metrics' },
  { at: '#/metrics', sign: 'Metrics', act: press('t') },
  { at: '#/import', sign: 'Import' },
  ...['general', 'security', 'network', 'check-up', 'support'].map((name) => ({
    at: `#/settings/${name}`,
    sign: 'Settings',
  })),
  { at: '#/settings', sign: 'Settings', act: press('Control+k') },
  { at: '#/settings', sign: 'Settings', act: press('?') },
];

test(`every view of a real broker${seedInTitle}`, async () => {
  const { page } = await ui.openPage({ reducedMotion: true });
  const found: string[] = [];
  for (const spot of spots) {
    await goTo(page, spot);
    const what = `${spot.at}${spot.act ? ` (${spots.indexOf(spot)})` : ''}`;
    found.push(...(await lookAt(page, what)));
  }
  expect(found).toEqual([]);
});

/** What a real broker is not easily put into. */
const states: readonly { state: string; sign: string | RegExp }[] = [
  { state: 'usual', sign: 'Needs attention' },
  { state: 'empty', sign: /Log in once/ },
  { state: 'locked', sign: 'Locked' },
  { state: 'passphrase', sign: 'Unlock…' },
  { state: 'keychain', sign: 'Waiting for the system keychain' },
  { state: 'none', sign: 'Create your vault' },
  { state: 'broken', sign: 'The vault can’t be opened' },
  { state: 'held', sign: /3 changes need your approval/ },
  { state: 'failing', sign: /config.yaml has errors/ },
  { state: 'gone', sign: 'Can’t reach Lanyard.' },
  { state: 'refused', sign: 'This session has expired' },
  { state: 'connecting', sign: 'Connecting' },
];

test(`every state of the page${seedInTitle}`, async () => {
  const { page, problems } = await ui.openAddress(sample.address('usual'), { reducedMotion: true });
  problems.allow(brokerIsGone);
  const found: string[] = [];
  for (const { state, sign } of states) {
    await page.goto(sample.address(state));
    await page.getByText(sign).first().waitFor();
    await settled(page);
    found.push(...(await lookAt(page, state)));
  }
  expect(found).toEqual([]);
});

test('the imports of registries, with their plans', async () => {
  const { page, problems } = await ui.openAddress(`${sample.address('usual')}#/registries/+import`, {
    reducedMotion: true,
  });
  problems.allow(brokerIsGone);
  await page.getByRole('button', { name: /^Choose / }).click();
  await page.getByRole('heading', { name: 'The plan' }).waitFor();
  await page.getByRole('button', { name: 'Show the change of config.yaml' }).click();
  await settled(page);
  expect(await lookAt(page, 'the plans')).toEqual([]);
});

test('inventories in their troubles, and what is left out of one', async () => {
  const { page, problems } = await ui.openAddress(`${sample.address('usual')}#/inventories`, {
    reducedMotion: true,
  });
  problems.allow(brokerIsGone);
  await page.getByText('corp-staging needs a login').waitFor();
  await page.getByRole('row', { name: 'fleet-prod/search' }).click();
  await page.getByText('Server: not among the servers of the inventory.').waitFor();
  await settled(page);
  const found = await lookAt(page, 'the sources');
  await page.getByRole('button', { name: '3 objects left out' }).click();
  await page.getByText('broken/half').waitFor();
  found.push(...(await lookAt(page, 'what is left out')));
  await page.goto(`${sample.address('empty')}#/inventories`);
  await page.getByText('No inventories yet').waitFor();
  found.push(...(await lookAt(page, 'no inventories')));
  expect(found).toEqual([]);
});

test('a part of the page that does not load is said, and loaded when it is wanted again', async () => {
  const { page, problems } = await ui.openAddress('about:blank', { reducedMotion: true });
  problems.allow(/Failed to (load resource|fetch)|dynamically imported|preload CSS|could not be loaded/);
  await page.route(/assets.(metrics|palette)-/, (route) => route.abort());
  await page.goto(await ui.address());
  await page.getByRole('heading', { name: 'Clusters' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByText('This part of the page could not be loaded').waitFor();
  await page.evaluate(() => window.location.assign('#/metrics'));
  await page.getByText('Something went wrong').waitFor();
  expect(await lookAt(page, 'a view that broke')).toEqual([]);
  await page.unroute(/assets.(metrics|palette)-/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Metrics' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Search clusters/ }).waitFor();
});

test('a broker of another version is reported', async () => {
  const { page } = await ui.openPage({ reducedMotion: true });
  await page.routeWebSocket(/.*/, (socket) => {
    const broker = socket.connectToServer();
    broker.onMessage((text) =>
      socket.send(String(text).replace(/("startedAt".*?"version":|"version":)"[\d.]+"/, '$1"99.0.0"')),
    );
  });
  await page.reload();
  await page.getByText('Lanyard was updated.').waitFor();
  expect(await lookAt(page, 'another version')).toEqual([]);
});

test('a broker of another version that the page can’t read: nothing of it is shown, and the page offers to reload', async () => {
  const { page, problems } = await ui.openPage({ reducedMotion: true });
  problems.allow(/parse-message|Failed to fetch dynamically imported module|net::ERR_FAILED/);
  await page.route(/parse-message-/, (route) => route.abort());
  await page.routeWebSocket(/.*/, (socket) => {
    const broker = socket.connectToServer();
    broker.onMessage((text) =>
      socket.send(String(text).replace(/("startedAt".*?"version":|"version":)"[\d.]+"/, '$1"99.0.0"')),
    );
  });
  await page.reload();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await lookAt(page, 'a version that can’t be read')).toEqual([]);
});

const themes = ['light', 'dark', 'forced colours'] as const;
type Theme = (typeof themes)[number];
interface Look {
  themes: readonly Theme[];
  sizes: readonly Size[];
}

/** Each theme in each size. */
const looks = Array.from(
  { length: themes.length * everySize.length },
  (_, index): Look => ({
    themes: themes.filter((_, at) => at === index % themes.length),
    sizes: everySize.filter((_, at) => at === index % everySize.length),
  }),
);
let looked = (chosenPoints(looks.length, 1)[0] ?? 1) - 1;

/** How the next view is looked at. */
function nextLook(): Look {
  const look = looks[looked++ % looks.length];
  return isLong || !look ? { themes, sizes: everySize } : look;
}

/** All that is demanded of what the page shows. It is at 1,240 px, in light, for who asked for no motion. */
async function lookAt(page: Page, what: string): Promise<string[]> {
  const look = nextLook();
  const found: string[] = [];
  const add = (how: string, each: readonly string[]) =>
    found.push(...each.map((one) => `${what}, ${how}: ${one}`));
  add('moves', await runningAnimations(page));
  add('words', await rawWords(page));
  for (const [index, theme] of look.themes.entries()) {
    await page.emulateMedia(
      theme === 'forced colours'
        ? { colorScheme: 'light', forcedColors: 'active' }
        : { colorScheme: theme, forcedColors: 'none' },
    );
    // What it is made of is the same in the others.
    add(theme, await accessibilityViolations(page, index === 0 ? {} : { rules: ['color-contrast'] }));
    if (theme === 'forced colours') {
      add('forced colours, the focus', await unringed(page));
    }
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  for (const { how, cut } of await inEachSize(page, look.sizes)) {
    add(how, cut);
  }
  return found;
}

async function goTo(page: Page, { at, sign, act }: Spot): Promise<void> {
  await page.keyboard.press('Escape');
  if ((await page.evaluate(() => window.location.hash)) === at) {
    // From elsewhere: the same view begins anew.
    await page.evaluate(() => window.location.assign('#/settings/nowhere'));
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  }
  await page.evaluate((to) => window.location.assign(to), at);
  await page.getByText(sign).first().waitFor({ state: 'attached' });
  await settled(page);
  if (act) {
    await act(page);
    await settled(page);
  }
}

function runningAnimations(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ id, effect }) => `${id} ${(effect as KeyframeEffect).target?.outerHTML.slice(0, 120) ?? ''}`),
  );
}

/** What can be focused, and shows it by nothing: each in turn, as Tab would come to it. */
function unringed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scope = document.querySelector('[role="dialog"]') ?? document;
    const found: string[] = [];
    const stops = scope.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    );
    for (const element of stops) {
      if (!element.checkVisibility() || element.matches(':disabled, [inert] *, [data-base-ui-focus-guard]')) {
        continue;
      }
      // What has it already would not show it anew.
      if (document.activeElement === element) {
        element.blur();
      }
      element.focus({ focusVisible: true } as FocusOptions);
      if (document.activeElement !== element) {
        continue;
      }
      const isRinged = [element, element.parentElement, element.nextElementSibling].some((each) => {
        const style = each && getComputedStyle(each);
        return style && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1;
      });
      if (!isRinged) {
        found.push(element.outerHTML.slice(0, 160));
      }
    }
    return found;
  });
}
