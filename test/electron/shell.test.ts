import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readingMilliseconds } from '../../main/consent/windows/window-flow.ts';
import { type ElectronAgent, startElectronAgent } from '../e2e/support/electron-agent.ts';
import { whyNotLong } from '../support/long.ts';
import { type Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';
import type { Desk } from './support/desk.ts';
import { type DesktopStage, openDesktopStage } from './support/desktop-stage.ts';

/*
 * The app as a person has it: its tray, notifications, window and dialogs on a desktop, with a real X server, window
 * manager and session bus, and kubectl beside it. The tray's and the notifications' servers are the desk's.
 */
let person: DesktopStage;
let desk: Desk;
let stage: Stage;
let app: ElectronAgent;

beforeAll(async () => {
  person = await openDesktopStage(async (options) => {
    app = await startElectronAgent(options);
    return app;
  });
  ({ desk, stage } = person);
});
afterAll(() => person?.dispose());

const toolTip = () => person.toolTip();
const isVisible = () =>
  app.inApp(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((each) => each.isVisible()));
const byTitle = (title: string) => desk.notes().findLast((each) => each.open && each.title === title);

describe('the tray', () => {
  it('has an icon with a picture, and says what is wanted; no window is open', async () => {
    await until(() => (/1 account needs a login/.test(toolTip()) ? true : null), 'the tool tip');
    const [[width, height, bytes] = [0, 0, 0]] = desk.tray().IconPixmap;
    expect([width > 15, bytes === width * height * 4]).toEqual([true, true]);
    expect(desk.menu()).toContainEqual(expect.stringMatching(/^Log in to prod/));
    expect(await isVisible()).toBe(false);
  });

  it('logs in by a click, and kubectl gets its credential from the app', async () => {
    await person.logIn(() => desk.click('Log in to prod'));
    const { code, stdout, stderr } = await person.getPods();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('pod/');
    const history = await stage.lanyard(['history', 'prod']);
    expect(history.stdout).toContain('kubectl');
  });
});

describe('the window', () => {
  it('is shown by a second start, at the view that it names', async () => {
    expect(await app.startAgain('--show=#/accounts')).toBe(0);
    const page = await app.window();
    await page.getByRole('rowheader', { name: 'corp' }).waitFor();
    expect(page.url()).toBe('app://lanyard/#/accounts');
    await page.evaluate(() => Object.assign(globalThis, { kept: true }));
    expect(await app.startAgain('--show=#/clusters/prod')).toBe(0);
    await page.waitForURL('app://lanyard/#/clusters/prod');
    expect(await page.evaluate(() => 'kept' in globalThis)).toBe(true);
    const shown = await until(() => desk.windows().find(({ title }) => /Lanyard/.test(title)), 'its window');
    expect(desk.x('xprop', '-id', shown.id, 'WM_CLASS')).toMatch(/"lanyard"/i);
    // Its width comes first.
    const icon = desk.x('xprop', '-id', shown.id, '-len', '8', '-f', '_NET_WM_ICON', '32c', '_NET_WM_ICON');
    expect(icon).toMatch(/= 256$/);
  });

  it('comes back at its view, where Chromium let its page go', async () => {
    const page = await app.window();
    await page.evaluate(() => location.assign('about:blank'));
    // In a new document.
    const isNew = () => page.evaluate(() => !('kept' in globalThis) && location.href);
    await expect.poll(() => isNew().catch(() => null)).toBe('app://lanyard/#/clusters/prod');
  });

  it('hides as the window manager closes it, and says once that Lanyard runs on', async () => {
    const { id } = await until(() => desk.windows().find(({ title }) => /Lanyard/.test(title)), 'its window');
    desk.x('wmctrl', '-i', '-c', id);
    await expect.poll(isVisible).toBe(false);
    await until(() => desk.notes().find(({ title }) => /still running/.test(title)), 'the notification');
    desk.activate();
    await expect.poll(isVisible).toBe(true);
  });

  it('comes back in a new process after its page was killed', async () => {
    const pid = () =>
      app.inApp(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((each) => each.webContents.getOSProcessId()),
      );
    const [before = 0] = await pid();
    process.kill(before, 'SIGKILL');
    await expect.poll(async () => (await pid()).some((each) => each !== 0 && each !== before)).toBe(true);
    const text = () =>
      app.inApp(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]
          ?.webContents.executeJavaScript('document.body.innerText')
          .catch(() => ''),
      );
    await expect.poll(text).toContain('prod');
  });
});

describe('a program that waits for a login', () => {
  const hide = () =>
    app.inApp(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) {
        window.hide();
      }
    });

  it('is told by a notification, whose click opens the login; then the program goes on', async () => {
    await hide();
    await stage.lanyard(['logout', 'corp']);
    const waits = person.getPods();
    const note = await until(() => byTitle('Log in to corp'), 'the notification');
    await person.logIn(() => desk.invoke(note));
    expect((await waits).code).toBe(0);
  });

  it('takes the notification back when the login is done elsewhere', async () => {
    await stage.lanyard(['logout', 'corp']);
    const waits = person.getPods();
    const { id } = await until(() => byTitle('Log in to corp'), 'the notification');
    await person.logIn(() => desk.click('Log in to prod'));
    expect((await waits).code).toBe(0);
    await expect.poll(() => desk.notes().find((each) => each.id === id)?.open).toBe(false);
  });
});

// Real keys are lost where the window manager gives the focus late.
describe('a dialog of the main process', unless(whyNotLong), () => {
  const dialogs = () =>
    app.inApp(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .filter((each) => each.webContents.getURL().startsWith('lanyard-dialog:') && each.isVisible())
        .map((each) => each.id),
    );
  /** The dialog that the menu’s line opens, when its buttons count and it has the keyboard. */
  async function open(line: RegExp): Promise<number> {
    const label = await until(() => desk.menu().find((each) => line.test(each)), `the line ${line}`);
    desk.click(label.trim().replace(/…$/, ''));
    const [id = 0] = await until(async () => ((await dialogs()).length > 0 ? dialogs() : null), 'the dialog');
    await app.inApp(({ BrowserWindow }, of) => {
      const window = BrowserWindow.fromId(of);
      window?.focus();
      window?.webContents.focus();
    }, id);
    const title = await app.inApp(({ BrowserWindow }, of) => BrowserWindow.fromId(of)?.getTitle() ?? '', id);
    await expect
      .poll(() => {
        desk.x('wmctrl', '-a', title);
        return desk.x('xdotool', 'getactivewindow', 'getwindowname');
      })
      .toBe(title);
    // It takes no answer before one can have read it.
    await new Promise((resolve) => setTimeout(resolve, 2 * readingMilliseconds));
    return id;
  }

  it('approves a changed cluster, by real keys; no page can reach it', async () => {
    const file = stage.home.file('config');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    config.clusters.third = { ...config.clusters.prod, server: 'https://127.0.0.1:1' };
    writeFileSync(file, JSON.stringify(config));
    const id = await open(/change|review|approv/i);
    const found = await app.inApp(({ BrowserWindow }, of) => {
      const window = BrowserWindow.fromId(of);
      // Not among its types.
      const contents = window?.webContents as unknown as {
        getLastWebPreferences(): Record<'javascript' | 'sandbox' | 'contextIsolation', boolean>;
      };
      const { javascript, sandbox, contextIsolation } = contents.getLastWebPreferences();
      const isPersistent = window?.webContents.session.isPersistent();
      return { javascript, sandbox, contextIsolation, isPersistent, isOnTop: window?.isAlwaysOnTop() };
    }, id);
    const caged = { javascript: false, sandbox: true, contextIsolation: true, isPersistent: false };
    expect(found).toEqual({ ...caged, isOnTop: true });
    // The keyboard begins at Deny.
    desk.x('xdotool', 'key', 'Tab');
    desk.x('xdotool', 'key', 'Return');
    await until(async () => ((await stage.status()).held.length === 0 ? true : null), 'the approval');
    const listed = await stage.lanyard(['cluster', 'list']);
    expect(listed.stdout).toContain('third');
  });

  it('unlocks with the passphrase that is typed', async () => {
    expect(await app.startAgain('--lock')).toBe(0);
    await until(() => (/locked/i.test(toolTip()) ? true : null), 'the lock');
    await open(/^unlock/i);
    desk.x('xdotool', 'type', '--delay', '20', person.passphrase);
    desk.x('xdotool', 'key', 'Return');
    await until(() => (/locked/i.test(toolTip()) ? null : true), 'the unlocking');
  });
});

it('hears from the system that it sleeps, and that it is back', async () => {
  await app.inApp(({ powerMonitor }) => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    powerMonitor.on('suspend', () => heard.push('suspend'));
    powerMonitor.on('resume', () => heard.push('resume'));
  });
  const heard = () => app.inApp(() => (globalThis as unknown as { heard: string[] }).heard);
  desk.sleep(true);
  await expect.poll(heard).toEqual(['suspend']);
  desk.sleep(false);
  await expect.poll(heard).toEqual(['suspend', 'resume']);
});

// The last one.
it('ends with 0 by the tray, and its socket goes', async () => {
  person.quit();
  expect((await app.ended).code).toBe(0);
  expect(existsSync(stage.home.file('socket'))).toBe(false);
});
