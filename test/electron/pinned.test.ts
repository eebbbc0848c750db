import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appCommands } from '../../app/start-commands.ts';
import { findElectron } from '../../scripts/find-electron.ts';
import { type ElectronAgent, startElectronAgent } from '../e2e/support/electron-agent.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { start } from '../support/processes.ts';
import { unless } from '../support/unless.ts';

/*
 * What no older Electron can show (docs/platforms.md), on the one that Lanyard is written for: `npm run try` where its
 * binary is.
 */
const root = join(import.meta.dirname, '..', '..');
const program = findElectron(root, process.env);
const isRoot = process.getuid?.() === 0;
const why = program === null ? 'Electron’s binary isn’t here' : isRoot ? 'the app doesn’t run as root' : null;

describe('the Electron that Lanyard is written for', unless(why), () => {
  let home: TestHome;
  let app: ElectronAgent;
  beforeAll(async () => {
    home = makeHome();
    app = await startElectronAgent({ home, passphrase: 'a passphrase of the test' });
  });
  afterAll(async () => {
    await app?.dispose();
    home?.dispose();
  });

  test('serves the page by protocol.handle, with the preload’s contract', async () => {
    const page = await app.window();
    await page.locator('#root > *').first().waitFor();
    expect(await page.evaluate(() => Object.keys((globalThis as never)['lanyard']).sort())).toEqual([
      'listen',
      'listenDrops',
      'send',
    ]);
  });

  test('has net.fetch, setUSBProtectedClassesHandler and node:sqlite', async () => {
    const found = await app.inApp(({ net, session }) => [
      typeof net.fetch,
      typeof session.defaultSession.setUSBProtectedClassesHandler,
    ]);
    expect(found).toEqual(['function', 'function']);
    // The record is written by it.
    expect((await home.lanyard(['history'])).code).toBe(0);
    expect(existsSync(home.file('history'))).toBe(true);
  });

  test('asks will-frame-navigate before a frame goes elsewhere', async () => {
    const page = await app.window();
    await app.inApp(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.webContents.once('will-frame-navigate', ({ defaultPrevented }) =>
        Object.assign(globalThis, { isPrevented: defaultPrevented }),
      );
    });
    await page.evaluate(() => location.assign('https://example.com/'));
    const isPrevented = () => app.inApp(() => (globalThis as { isPrevented?: boolean }).isPrevented);
    await expect.poll(isPrevented).toBe(true);
  });

  test('runs lanyard agent without ever becoming ready', async () => {
    const other = makeHome();
    const { command } = appCommands([program ?? '', root], process.platform);
    const [first = '', ...words] = command;
    const running = start(first, words, { env: other.env });
    try {
      running.closeInput();
      await running.waitForLine(/"agent\.listening"/);
    } finally {
      await running.dispose();
      other.dispose();
    }
  });
});
