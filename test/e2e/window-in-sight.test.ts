import { mkdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { dialogOptions } from '../../app/dialogs/dialog-options.ts';
import { Bindings } from '../../main/access/bindings.ts';
import { FakeVault } from '../../main/accounts/testing/fake-vault.ts';
import { createConfigStore } from '../../main/config/store.ts';
import { confirmWindow } from '../../main/consent/windows/kinds/confirm.ts';
import { unlockWindow } from '../../main/consent/windows/kinds/unlock.ts';
import type { WindowContent } from '../../main/consent/windows/window-kind.ts';
import { formPage, windowHeaders } from '../../main/consent/windows/window-page.ts';
import { cluster } from '../../main/contract/config/cluster.ts';
import { inventory } from '../../main/contract/config/inventory.ts';
import { defaultSettings } from '../../main/contract/config/settings.ts';
import type { LoadedCluster, LoadedConfig } from '../../main/domain/loaded-config.ts';
import { noEntries } from '../../main/domain/testing/no-entries.ts';
import { silentLog } from '../../main/ports/log.ts';
import { chosenPoints, isLong } from '../support/long.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { layoutFindings } from './support/layout.ts';
import { sharedChromium } from './support/shared-chromium.ts';

/** What a window asks about much: heading, summary and buttons are in sight as it opens, at each size it has. */
let browser: Browser;
let page: Page;
/** What the page shows. */
let shown: WindowContent;
let approval: WindowContent;
let making: WindowContent;
let profiles: WindowContent;
beforeAll(async () => {
  browser = await sharedChromium();
  [approval, making] = await contents();
  profiles = await contentOfProfiles();
  page = await browser.newPage();
  const around = { path: '/x', token: 'token', until: 'Expires at 12:05', fault: null };
  await page.route('**/*', (route) =>
    route.fulfill({ headers: windowHeaders(), body: formPage(shown, around) }),
  );
});

const clusters = Array.from({ length: 17 }, (_, index) => `lab-${String(index + 1).padStart(2, '0')}`);
const entries = (approvalOf: string, more: string) => `version: 1
accounts:
  corp: { oidc: { issuer: "https://id.example.com", clientId: kubernetes, scopes: [openid${more}] } }
clusters:
  prod: { server: "https://prod.example.com:6443", account: corp${approvalOf} }
`;

/** Twenty-one changes, of which the worst stand last in the file; and the same before there is a vault. */
async function contents(): Promise<[WindowContent, WindowContent]> {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-sight-'));
  const file = join(folder, 'config.yaml');
  await writeFile(file, entries(', approval: always', ''));
  const config = await createConfigStore({ file, log: silentLog });
  const vault = new FakeVault();
  const bindings = new Bindings({ config, vault });
  await bindings.approve({ changes: bindings.changes() });
  const text = [
    entries(', approval: never', ', admin'),
    ...clusters.map((name) => `  ${name}: { server: "https://${name}.example.com", account: corp }\n`),
    '  open: { server: "https://open.example.com", account: corp, insecureSkipTlsVerify: true }\n',
    'lock: { afterIdle: 15m }\n',
  ];
  await writeFile(file, text.join(''));
  await config.reload();
  const look = async () => ({ kind: 'missing', path: null }) as const;
  const deps = {
    config,
    vault,
    bindings,
    look,
    programs: { held: async () => [] },
    recorder: { record: () => undefined },
    gate: () => null,
    markOf: () => null,
  };
  const { content } = await confirmWindow(deps);
  const none = { state: () => ({ kind: 'none', reason: 'no keychain' }) as const };
  const made = await unlockWindow({
    ...deps,
    lock: { settled: async () => undefined },
    vault: none,
  } as never);
  await config.dispose();
  await rm(folder, { recursive: true });
  return [content, made.content];
}

/** 1,000 profiles of an inventory that changed, of which three deserve a second look. */
async function contentOfProfiles(): Promise<WindowContent> {
  const config = inventory.parse({
    cluster: 'hub',
    providers: [{ name: 'eks', account: 'bot' }],
    servers: ['*.example.com'],
  });
  const clusters = Array.from({ length: 1_000 }, (_, index) => profileCluster(index));
  const loaded = {
    ...noEntries,
    clusters: new Map(clusters.map((each) => [each.name, each])),
    inventories: new Map([['fleet', { name: 'fleet', config, certificateAuthorityPem: null }]]),
    settings: defaultSettings,
  } as LoadedConfig;
  const of = { config: { current: () => loaded }, vault: new FakeVault() };
  const { content } = await confirmWindow({
    ...of,
    bindings: new Bindings(of),
    gate: () => null,
    markOf: () => null,
    look: async () => ({ kind: 'missing', path: null }) as const,
    programs: { held: async () => [] },
    recorder: { record: () => undefined },
  });
  return content;
}

function profileCluster(index: number): LoadedCluster {
  const name = `c-${String(index).padStart(4, '0')}`;
  const server = `https://${name}.example.${index < 3 ? 'net' : 'com'}`;
  return {
    name,
    config: cluster.parse({ server, account: 'bot' }),
    certificateAuthorityPem: null,
    origin: { inventory: 'fleet', namespace: 'team', name, uid: name, provider: 'eks' },
  };
}

const sizeOf = (content: WindowContent) => {
  const { width = 0, height = 0 } = dialogOptions(content);
  return { width, height };
};
const sizes: [string, (content: WindowContent) => { width: number; height: number }][] = [
  ['a tab', () => ({ width: 1240, height: 780 })],
  ['a small tab', () => ({ width: 900, height: 480 })],
  ['the app’s dialog', sizeOf],
  ['the dialog as small as it can be made', () => ({ width: 420, height: 280 })],
];
const themes = ['light', 'dark'] as const;
/** Each size in both themes; in the ordinary form in one of them, and the next size in the other. */
const [first = 0] = chosenPoints(themes.length, 1);
const cells = sizes.flatMap(([name, size], index) =>
  themes
    .filter((_, at) => isLong || at === (first + index) % themes.length)
    .map((theme) => [name, theme, size] as const),
);

async function open(
  content: WindowContent,
  size: { width: number; height: number },
  theme: 'light' | 'dark',
): Promise<void> {
  shown = content;
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: theme });
  await page.goto('http://window.test/');
}

/** Where pictures are wanted, as the other windows' tests take them. */
async function picture(name: string): Promise<void> {
  const folder = process.env['LANYARD_PICTURES'];
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
}

async function isInSight(selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox();
  const size = page.viewportSize();
  return (
    box !== null &&
    size !== null &&
    box.y >= 0 &&
    box.x >= 0 &&
    box.y + box.height <= size.height &&
    box.x + box.width <= size.width
  );
}

test('there are 21 changes, summed up first, and what deserves a closer look on top', () => {
  expect(approval.changes).toHaveLength(21);
  expect(approval.text[0]).toMatch(
    /^21 changes: 18 new clusters, 1 changed account, 1 changed cluster, 1 changed setting\. 3 need a closer look, shown first\./,
  );
  expect(approval.changes?.slice(0, 3).map(({ title, risks }) => [title, risks])).toEqual([
    ['account corp (changed)', ['Requests more scopes']],
    ['cluster prod (changed)', ['Asks for approval less often']],
    ['cluster open (new)', ['TLS verification is off']],
  ]);
  expect(making.changes).toHaveLength(21);
});

test.each(cells)(
  'changes in %s, %s: heading, summary and buttons are in sight, and nothing is scrolled',
  async (name, theme, sizeFor) => {
    await open(approval, sizeFor(approval), theme);
    await picture(`window-many-${name.replaceAll(/\W+/g, '-')}-${theme}`);
    // The browser gives the focus with a frame of its own, after the page has loaded.
    await page.waitForFunction(() => document.activeElement?.getAttribute('value') === 'no');
    for (const part of ['h1', 'button[value=no]', 'button[value=yes]']) {
      expect(await isInSight(part), part).toBe(true);
    }
    expect(await page.evaluate(() => [window.scrollY, document.querySelector('.body')?.scrollTop])).toEqual([
      0, 0,
    ]);
    expect(await layoutFindings(page)).toEqual([]);
    expect(await accessibilityViolations(page)).toEqual([]);
    // The last one is reached by keyboard, and the buttons stay.
    await page.locator('.body').focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => (document.querySelector('.body')?.scrollTop ?? 0) > 0);
    expect(await isInSight('h1')).toBe(true);
    expect(await isInSight('button[value=no]')).toBe(true);
  },
);

test.each(cells)(
  '1,000 profiles in %s, %s: what needs a closer look is first and not chosen, and all is in sight',
  async (name, theme, sizeFor) => {
    await open(profiles, sizeFor(profiles), theme);
    await picture(`window-profiles-${name.replaceAll(/\W+/g, '-')}-${theme}`);
    for (const part of ['h1', 'button[value=no]', 'button[value=yes]']) {
      expect(await isInSight(part), part).toBe(true);
    }
    expect(
      await page
        .locator('input[type=checkbox]')
        .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked)),
    ).toEqual([false, false, false, true, true]);
    expect(await layoutFindings(page)).toEqual([]);
    expect(await accessibilityViolations(page)).toEqual([]);
  },
);

test.each(cells)(
  'a new vault’s passphrase in %s, %s: the field is in sight, with heading and buttons',
  async (_, theme, sizeFor) => {
    const size = sizeFor(making);
    await open(making, size, theme);
    // In the lowest dialog the body has room for a line: the field is scrolled to there, for it has the focus.
    const field = size.height < 480 ? [] : ['input[name=passphrase]'];
    for (const part of ['h1', 'button[value=no]', 'button[value=yes]', ...field]) {
      expect(await isInSight(part), part).toBe(true);
    }
  },
);
