import { dirname } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { desktopPageHeaders } from '../../main/doors/ui/web/page-headers.ts';
import { startAgent } from '../support/agent.ts';
import { type AppProgram, startApp } from '../support/electron/program.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { mustBeGood, stagePassphrase } from '../support/stage.ts';
import { type DesktopWindow, openDesktopDialog, openDesktopWindow } from './support/desktop-window.ts';
import { dropFile } from './support/drop-file.ts';
import { pressWhenRead } from './support/press-when-read.ts';
import { sharedChromium } from './support/shared-chromium.ts';
import { allOf } from './support/traffic.ts';

/**
 * The desktop app's window: the built page with the built preload in real Chromium, behind them the built app on the
 * stand-in (test/e2e/support/desktop-window.ts says what that can't show), and its real broker.
 */
let home: TestHome;
let app: AppProgram;
let browser: Browser;
let window: DesktopWindow;

beforeAll(async () => {
  home = makeHome();
  home.writeConfig({
    version: 1,
    accounts: { bot: { staticToken: {} }, ops: { clientCertificate: {} } },
    clusters: {
      prod: { server: 'https://127.0.0.1:9', account: 'bot', insecureSkipTlsVerify: true },
      dev: { server: 'https://127.0.0.1:9', account: 'ops', insecureSkipTlsVerify: true },
    },
  });
  // The vault is made by a broker that is given a passphrase; the app finds it locked.
  await (await startAgent({ home, passphrase: stagePassphrase })).dispose();
  app = await startApp({ home, words: [] });
  browser = await sharedChromium();
  await unlock();
  mustBeGood(await home.lanyard(['kubeconfig', 'write']));
});
afterAll(async () => {
  await app?.dispose();
  home?.dispose();
});
beforeEach(async () => {
  window = await openDesktopWindow(app, browser);
});
afterEach(async () => {
  const found = window.problems.found();
  await window.close();
  expect(found, 'what the page complained of').toEqual([]);
});

async function unlock(): Promise<void> {
  mustBeGood(
    await home.lanyard(['unlock', '--passphrase-file', home.write('passphrase', `${stagePassphrase}\n`)]),
  );
}

const team = (name: string) => `apiVersion: v1
kind: Config
clusters: [{name: ${name}, cluster: {server: "https://${name}.example.com"}}]
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}}}]
users: [{name: ${name}, user: {token: token-of-${name}}}]
`;

const views: readonly { at: string; heading: string }[] = [
  { at: '#/clusters', heading: 'Clusters' },
  { at: '#/clusters/prod', heading: 'prod' },
  { at: '#/accounts', heading: 'Accounts' },
  { at: '#/accounts/bot', heading: 'bot' },
  { at: '#/activity', heading: 'Activity' },
  { at: '#/metrics', heading: 'Metrics' },
  { at: '#/import', heading: 'Import' },
  { at: '#/settings', heading: 'Settings' },
];

describe('the desktop app’s window', () => {
  it('shows every view, without an error of Chromium’s', async () => {
    const { page } = window;
    for (const { at, heading } of views) {
      await window.go(at);
      await expect.poll(() => page.evaluate(() => location.hash)).toBe(at);
      await page.getByRole('main').getByRole('heading', { name: heading, exact: true }).waitFor();
    }
  });

  it('gives its page three functions, and nothing of Node or Electron', async () => {
    const seen = await window.page.evaluate(() => {
      const { lanyard } = globalThis as unknown as { lanyard: object };
      return {
        keys: Object.entries(lanyard).map(([name, value]) => `${name}: ${typeof value}`),
        others: ['require', 'process', 'module', 'electron', 'ipcRenderer', 'Buffer'].filter(
          (name) => name in globalThis,
        ),
      };
    });
    expect(seen).toEqual({
      keys: ['send: function', 'listen: function', 'listenDrops: function'],
      others: [],
    });
  });

  it('lets its page reach nothing but the app', async () => {
    const { page, problems } = window;
    problems.allow(/connect-src|Content Security Policy/);
    const reached = await page.evaluate(async () => {
      const tried = await Promise.allSettled([
        fetch('/'),
        fetch('https://example.com/'),
        new Promise((resolve, reject) => {
          const socket = new WebSocket('ws://127.0.0.1:9/');
          socket.onopen = resolve;
          socket.onerror = reject;
        }),
      ]);
      return tried.map(({ status }) => status);
    });
    expect(reached).toEqual(['rejected', 'rejected', 'rejected']);
    const answer = await page.reload();
    expect(await answer?.allHeaders()).toMatchObject(desktopPageHeaders());
  });

  it('makes calls, and shows their results', async () => {
    const { page } = window;
    // The foot says "Unlocked" until then: the heading alone comes with the lock.
    const locked = page.getByRole('heading', { name: 'Locked', exact: true });
    await page.getByRole('button', { name: 'Lock now' }).waitFor();
    expect(await locked.count()).toBe(0);
    expect((await home.lanyard(['status'])).stdout).toMatch(/^vault +open/m);
    await page.getByRole('button', { name: 'Lock now' }).click();
    await locked.waitFor();
    expect((await home.lanyard(['status'])).stdout).toMatch(/^vault +locked/m);
    await unlock();
    await page.getByRole('main').getByText('prod').first().waitFor();
  });

  it('is unlocked in a dialog of the app, also where no browser is found', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Lock now' }).click();
    const dialog = await openDesktopDialog(app, browser, () =>
      page.getByRole('button', { name: 'Unlock…' }).click(),
    );
    await dialog.getByLabel('Passphrase').fill(stagePassphrase);
    await pressWhenRead(dialog, 'Unlock');
    await page.getByRole('main').getByText('prod').first().waitFor();
    await dialog.context().close();
  });

  it('copies without a permission', async () => {
    const { page } = window;
    await window.go('#/clusters/prod');
    await page.getByRole('button', { name: 'Copy kubectl line' }).click();
    await page.getByText('Copied').first().waitFor();
    await window.go('#/clusters');
    const search = page.getByRole('searchbox').or(page.getByPlaceholder('Search'));
    await search.first().click();
    await page.keyboard.press('Control+v');
    await expect.poll(() => search.first().inputValue()).toMatch(/^kubectl .*prod/);
    // The permission that it has not.
    window.problems.allow(/The Clipboard API has been blocked/);
    expect(
      await page.evaluate(() =>
        navigator.clipboard.writeText('other').then(
          () => 'allowed',
          () => 'refused',
        ),
      ),
    ).toBe('refused');
  });

  it('imports a file that is chosen in the system’s dialog', async () => {
    const { page } = window;
    const file = home.write('chosen.yaml', team('chosen'));
    await app.evaluate((standIn, chosen) => {
      standIn.chosen = [chosen];
    }, file);
    await window.go('#/import');
    await page.getByRole('button', { name: 'Browse…' }).click();
    await page.getByText(file, { exact: true }).first().waitFor();
    await page.getByText('Contexts: 1 of 1 selected').waitFor();
    // Another time the user changes their mind.
    await app.evaluate((standIn) => {
      standIn.chosen = null;
    });
    await page.getByRole('button', { name: 'Browse…' }).click();
    await page.getByRole('button', { name: 'Browse…', disabled: false }).waitFor();
    expect(await app.evaluate(({ fileDialogs }) => fileDialogs.length)).toBe(2);
    expect(await page.getByText(file, { exact: true }).count()).toBeGreaterThan(0);
  });

  it('imports a file that is dropped, by its path: the page sees no file', async () => {
    const { page, traffic } = window;
    const file = home.write('dropped.yaml', team('dropped'));
    await window.go('#/import');
    await page.getByText('Or drop files on this window.').waitFor();
    await page.evaluate((folder) => {
      const known = globalThis as unknown as { standInFolder: string; seenDrops: number };
      known.standInFolder = folder;
      known.seenDrops = 0;
      const count = () => {
        known.seenDrops += 1;
      };
      for (const target of [globalThis, document, document.body]) {
        target.addEventListener('drop', count, { capture: true });
      }
    }, dirname(file));
    await dropFile(page, file);
    await page.getByText(file, { exact: true }).first().waitFor();
    await page.getByText('Contexts: 1 of 1 selected').waitFor();
    const seen = await page.evaluate(() => (globalThis as unknown as { seenDrops: number }).seenDrops);
    expect(seen).toBe(0);
    expect(allOf(traffic)).toContain('dropped.yaml');
    expect(allOf(traffic)).not.toContain('token-of-dropped');
  });

  it('continues with a new session after the page is reloaded', async () => {
    const { page } = window;
    await page.reload();
    await page.getByRole('main').getByText('prod').first().waitFor();
  });
});
