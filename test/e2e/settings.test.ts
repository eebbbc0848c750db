import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { pressWhenRead } from './support/press-when-read.ts';
import { savedFile } from './support/saved-file.ts';
import { openUiHome, type UiHome } from './support/ui-stage.ts';

/** Settings on a real broker: what is read, what is written into config.yaml, doctor, the bundle. */
let ui: UiHome;
let page: Page;
const canary = 'canary-in-a-proxy';

beforeAll(async () => {
  ui = await openUiHome({
    config: {
      version: 1,
      accounts: { corp: { oidc: { issuer: 'http://127.0.0.1:9', clientId: 'kubernetes' } } },
      clusters: { prod: { server: 'https://127.0.0.1:9', account: 'corp', insecureSkipTlsVerify: true } },
    },
    agent: { env: { HTTPS_PROXY: `http://ada:${canary}@127.0.0.1:3128`, NO_PROXY: '127.0.0.1' } },
  });
  ({ page } = await ui.openPage());
});
afterAll(() => ui?.dispose());

const written = () => parse(readFileSync(ui.home.file('config'), 'utf8'));
/** Each test begins at one of the tabs. */
const at = (tab: string) => page.evaluate((hash) => window.location.assign(hash), `#/settings/${tab}`);

test('a theme applies immediately, to every page, and is in config.yaml', async () => {
  await at('general');
  const { page: other } = await ui.openPage({ at: '#/settings' });
  await page.getByLabel('Theme').selectOption('dark');
  for (const each of [page, other]) {
    await each.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
  }
  expect(written().appearance).toEqual({ theme: 'dark' });
  await page.getByLabel('Theme').selectOption('system');
  await other.waitForFunction(() => document.documentElement.dataset['theme'] === undefined);
});

test('a notification is turned off after a yes in the broker’s own window, and on immediately', async () => {
  await at('general');
  const logins = page.getByRole('switch', { name: 'Login needed' });
  const window = await ui.ownWindow(() => logins.press('Space'));
  await window.getByText('+ logins: false').waitFor();
  expect(written().notifications?.logins).not.toBe(false);
  await pressWhenRead(window, 'Turn off');
  await expect.poll(() => written().notifications).toMatchObject({ logins: false });
  await page.getByRole('switch', { name: 'Login needed', checked: false }).waitFor();
  await logins.press('Space');
  await expect.poll(() => written().notifications).toMatchObject({ logins: true });
  expect(await page.getByRole('switch', { name: 'Approval requests' }).isChecked()).toBe(true);
});

test('a lock after idle time is saved when it is chosen, pending approval, and applies immediately; Undo restores it', async () => {
  await at('security');
  await page.getByLabel('Auto-lock after').selectOption('8 hours');
  await page.getByText('1 change needs your approval').waitFor();
  await page.getByText('The change is pending approval.').waitFor();
  expect(written().lock).toEqual({ afterIdle: '8h' });
  // A lock only narrows: the page says that it counts already.
  await page.getByText('Unlocked · 8 h').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => written().lock?.afterIdle).toBe(undefined);
  await page.getByText('1 change needs your approval').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Auto-lock after').inputValue()).toBe('');
});

test('another duration is typed, shown as custom, and saved when the field is left, if it is one', async () => {
  await at('general');
  const keep = page.getByLabel('Keep history for', { exact: true });
  await keep.selectOption('Custom…');
  const typed = page.getByLabel('Keep history for: custom');
  expect(await typed.inputValue()).toBe('90d');
  await typed.fill('soon');
  await page.getByText('Expected a number with s, m, h or d').waitFor();
  await typed.press('Tab');
  expect(written().history).toBe(undefined);
  await typed.press('Escape');
  await typed.fill('45d');
  await typed.press('Tab');
  await expect.poll(() => written().history).toEqual({ keep: '45d' });
  await page.reload();
  await expect.poll(() => keep.inputValue()).toBe('custom');
  expect(await typed.inputValue()).toBe('45d');
  await keep.selectOption('90 days');
  await typed.waitFor({ state: 'detached' });
  await expect.poll(() => written().history?.keep).toBe('90d');
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
});

test.each([
  [1240, 2],
  [900, 1],
])('at %d px the sections stand in %d columns', async (width, columns) => {
  await page.setViewportSize({ width, height: 780 });
  await at('general');
  await page.getByRole('heading', { name: 'Metrics', exact: true }).waitFor();
  const lefts = await page
    .getByRole('tabpanel')
    .getByRole('heading')
    .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().left)));
  expect(new Set(lefts).size).toBe(columns);
});

test('doctor says what is wrong and what to do, and how far it is', async () => {
  await at('check-up');
  await page.getByRole('button', { name: 'Run checks' }).press('Enter');
  await page.getByText(/run\.$/).waitFor();
  await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  await page.getByText('Problem', { exact: true }).first().waitFor();
});

test('a bundle is shown before it is saved, without names unless they are wanted, and never with a secret', async () => {
  await at('support');
  const text = page.getByLabel('The bundle’s text');
  await page.getByRole('button', { name: 'Create bundle' }).click();
  await text.waitFor();
  const without = (await text.textContent()) ?? '';
  expect(without).toContain('account-1');
  expect(without).not.toMatch(/\bcorp\b|\bprod\b/);
  await page.getByLabel('With names and addresses').check();
  await page.getByRole('button', { name: 'Regenerate' }).click();
  await expect.poll(() => text.textContent()).toMatch(/\bcorp\b/);
  const saved = await savedFile(ui.agent(), page, () =>
    page.getByRole('button', { name: /^Save as/ }).click(),
  );
  expect(saved.name).toMatch(/^lanyard-support-\d{4}-\d\d-\d\d\.txt$/);
  expect(saved.text).toBe(await text.textContent());
  for (const shown of [without, (await text.textContent()) ?? '']) {
    expect(shown).not.toContain(canary);
  }
});

test('a proxy is named without its password', async () => {
  await at('network');
  await page.getByText('127.0.0.1:3128').waitFor();
  expect(await page.content()).not.toContain(canary);
});

test('the tabs go by the arrow keys', async () => {
  await at('general');
  await page.getByRole('tab', { name: 'General' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByLabel('Auto-lock after').waitFor();
  expect(page.url()).toContain('#/settings/security');
});
