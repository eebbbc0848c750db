import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type AppProgram, startApp } from '../support/electron/program.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { seedVault } from '../support/seed-vault.ts';
import { stagePassphrase } from '../support/stage.ts';
import { unlock } from '../support/unlock.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { type DesktopWindow, openDesktopDialog, openDesktopWindow } from './support/desktop-window.ts';
import { pressWhenRead } from './support/press-when-read.ts';
import { type SamplePage, serveSamplePage } from './support/sample-page.ts';
import { sharedChromium } from './support/shared-chromium.ts';

/** What Settings has in the desktop app alone: what is switched there is looked for where it counts. */
let browser: Browser;
const section = (page: Page, name: string) =>
  page.locator('section', { has: page.getByRole('heading', { name }) });
beforeAll(async () => {
  browser = await sharedChromium();
});

describe('in the app', () => {
  let home: TestHome;
  let app: AppProgram;
  let window: DesktopWindow;
  let page: Page;

  beforeAll(async () => {
    home = makeHome();
    await seedVault(home, stagePassphrase);
    app = await startApp({ home, words: [] });
    await unlock(home, stagePassphrase);
    window = await openDesktopWindow(app, browser);
    ({ page } = window);
    await window.go('#/settings');
  });
  afterEach(() => expect(window.problems.found()).toEqual([]));
  afterAll(async () => {
    await window?.close();
    await app?.dispose();
    home?.dispose();
  });
  const written = () => parse(readFileSync(home.file('config'), 'utf8'));
  const toggle = (name: string) => page.getByRole('switch', { name }).press('Space');

  it('starting at login is the desktop’s own entry, and can be turned off', async () => {
    const entry = join(home.env['XDG_CONFIG_HOME'] ?? '', 'autostart', 'lanyard.desktop');
    await toggle('Start when you log in');
    await expect.poll(() => existsSync(entry)).toBe(true);
    expect(readFileSync(entry, 'utf8')).toContain('"--hidden"');
    await page.getByRole('switch', { name: 'Start when you log in', checked: true }).waitFor();
    await toggle('Start when you log in');
    await expect.poll(() => existsSync(entry)).toBe(false);
  });

  it('notifications pause for an hour after a yes in a dialog, and can be resumed immediately', async () => {
    const paused = () => JSON.parse(readFileSync(home.file('desktopMemory'), 'utf8')).pausedUntil;
    const dialog = await openDesktopDialog(app, browser, () =>
      page.getByRole('button', { name: 'Pause for an hour' }).click(),
    );
    await page.getByText('Approve it in Lanyard’s window').waitFor();
    await pressWhenRead(dialog, 'Pause');
    await dialog.context().close();
    await page.getByText('Notifications pause until').waitFor();
    await expect.poll(paused).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Notifications are on.').waitFor();
    await expect.poll(paused).toBeNull();
  });

  it('a build without a feed says so, and offers nothing that needs one', async () => {
    await page.getByText('This build doesn’t check for updates').waitFor();
    expect(await page.getByRole('switch', { name: 'Check for updates daily' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Check for updates' }).count()).toBe(0);
  });

  it('the command line tools are installed with one click, and removed with one', async () => {
    const tool = join(home.env['HOME'] ?? '', '.local', 'bin', 'lanyard');
    const tools = section(page, 'Command line tools');
    await tools.getByRole('button', { name: 'Install' }).click();
    await tools.getByRole('status').getByText(tool, { exact: true }).waitFor();
    expect(lstatSync(tool).isFile() || lstatSync(tool).isSymbolicLink()).toBe(true);
    await tools.getByRole('button', { name: 'Remove' }).click();
    await tools.getByRole('status').getByText('Removed').waitFor();
    expect(existsSync(tool)).toBe(false);
    await tools.getByRole('button', { name: 'Install' }).waitFor();
  });

  it('the lock with the screen is written, and what this system can’t ask is said', async () => {
    await window.go('#/settings/security');
    await page.getByText('Linux has no biometric prompt').waitFor();
    await toggle('Lock when the screen locks');
    await expect.poll(() => written().lock).toEqual({ withScreen: true });
    await page.getByText('1 change needs your approval').waitFor();
    await page.getByRole('switch', { name: 'Lock when the screen locks', checked: true }).waitFor();
    await toggle('Lock when the screen locks');
    await expect.poll(() => written().lock?.withScreen).toBeUndefined();
  });
});

describe('on invented data', () => {
  let sample: SamplePage;
  let page: Page;
  beforeAll(async () => {
    sample = await serveSamplePage();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await page?.close();
    await sample?.dispose();
  });
  const open = (state: string, at = '') => page.goto(`${sample.address(state)}#/settings${at}`);

  it.each<[string, string, string | null, isNewInKind?: boolean]>([
    ['usual', 'Up to date', 'Check for updates'],
    ['updateOff', 'This build doesn’t check for updates', null],
    ['updateAvailable', 'kubectl waits less.', 'Download 0.2.0', true],
    ['updateFetching', 'Downloading 0.2.0: 42%.', null, true],
    ['updateReady', '0.2.0 is ready to install.', 'Install 0.2.0 and start again'],
    ['updateFailed', 'can’t be reached', 'Try again'],
    ['noTray', 'This desktop has no system tray', 'Check for updates', true],
  ])('%s: “%s”, and the button %s', async (state, text, button, isNewInKind = false) => {
    await open(state);
    const part = section(page, 'This app');
    await part.getByText(text).waitFor();
    const found = await part.getByRole('button', { name: /updates|Try again|0\.2\.0/ }).allTextContents();
    expect(found).toEqual(button === null ? [] : [button]);
    expect(await part.getByRole('switch', { name: 'Check for updates daily' }).count()).toBe(
      state === 'updateOff' ? 0 : 1,
    );
    if (isNewInKind) {
      expect(await accessibilityViolations(page)).toEqual([]);
    }
  });

  it('a Mac has its own user check, with the defaults of config.yaml', async () => {
    await open('onMac', '/security');
    const choice = page.getByLabel('Touch ID asks');
    expect(await choice.inputValue()).toBe('unlock');
    await choice.selectOption('always');
    await expect.poll(() => choice.inputValue()).toBe('always');
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
