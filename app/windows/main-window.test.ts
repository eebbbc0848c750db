import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyState } from '../../main/contract/ui/apply-entries.ts';
import type { BrokerMessage } from '../../main/contract/ui/messages.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import { silentLog } from '../../main/ports/log.ts';
import { createStandIn, type StandIn, type StandInWindow } from '../../test/support/electron/index.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { channels } from '../ipc/channels.ts';
import { createMainWindow, type MainWindow } from './index.ts';

let standIn: StandIn;
let clock: ManualClock;
let folder: string;
let state: UiState;
let tellChange: () => void;
let closes: number;
let browsed: string[];
let ended: number;
let say: (message: BrokerMessage) => void;
let window: MainWindow;

function create(platform: NodeJS.Platform = 'linux'): MainWindow {
  return createMainWindow({
    electron: standIn.electron,
    platform,
    files: {
      pages: join(folder, 'pages'),
      preload: '/dist/app/preload.cjs',
      windowIcon: '/dist/app/icons/window.png',
    },
    door: {
      connect({ send }) {
        say = send;
        return {
          receive: () => undefined,
          dispose: () => {
            ended += 1;
          },
        };
      },
    },
    page: {
      state: () => state,
      onChange(listener) {
        tellChange = () => listener(state);
        return { dispose: () => undefined };
      },
    },
    browser: {
      async open(url) {
        browsed.push(url);
        return true;
      },
    },
    clock,
    log: silentLog,
    onClose: () => void closes++,
  });
}

beforeEach(() => {
  standIn = createStandIn();
  clock = new ManualClock();
  folder = folderForTest();
  mkdirSync(join(folder, 'pages'));
  writeFileSync(join(folder, 'pages', 'index.html'), '<p>page');
  state = emptyState();
  closes = 0;
  browsed = [];
  ended = 0;
  window = create();
});
afterEach(() => window.dispose());

function opened(): StandInWindow {
  const found = standIn.windows.at(-1);
  if (!found) {
    throw new Error('no window');
  }
  return found;
}

/** A document starts to listen. */
function begins(contents: StandInWindow['contents']): void {
  standIn.ipc.events.emit(channels.begin, { sender: contents, senderFrame: contents.mainFrame });
}

/** Shows the window, and waits until it is loaded and drawn. */
async function show(route: string | null = null): Promise<StandInWindow> {
  window.show(route);
  const made = opened();
  await expect.poll(() => made.loaded.length).toBe(1);
  made.events.emit('ready-to-show');
  return made;
}

describe('the window', () => {
  it('costs nothing until it is shown', () => {
    expect(standIn.windows).toEqual([]);
    expect(standIn.sessions.size).toBe(0);
    expect(window.isShown()).toBe(false);
  });

  it('is shown once it is drawn, hardened, in its own partition', async () => {
    window.show('#/clusters/prod');
    const made = opened();
    await expect.poll(() => made.loaded).toEqual(['app://lanyard/#/clusters/prod']);
    expect(window.isShown()).toBe(false);
    made.events.emit('ready-to-show');
    expect(window.isShown()).toBe(true);
    expect(made.options).toMatchObject({
      title: 'Lanyard',
      show: false,
      webPreferences: {
        partition: 'lanyard-pages',
        preload: '/dist/app/preload.cjs',
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        devTools: true,
      },
    });
    const session = standIn.sessions.get('lanyard-pages');
    expect(await (await session?.request('app://lanyard/'))?.text()).toBe('<p>page');
    expect(session?.letsOut('https://example.com/')).toBe(false);
  });

  it('is in front while the user sees it, and says at which view', async () => {
    expect(window.inFrontAt()).toBeNull();
    const made = await show('#/clusters/prod');
    expect(window.inFrontAt()).toBe('#/clusters/prod');
    made.blur();
    expect(window.inFrontAt()).toBeNull();
    made.focus();
    made.contents.navigate('app://lanyard/');
    expect(window.inFrontAt()).toBe('');
    made.close();
    expect(window.inFrontAt()).toBeNull();
  });

  it('has no tools for developers in an installed app', async () => {
    standIn.app.isPackaged = true;
    expect((await show()).options).toMatchObject({ webPreferences: { devTools: false } });
  });

  it('comes to the front at the next view, in the same document', async () => {
    const made = await show('#/clusters');
    made.hide();
    made.minimize();
    window.show('#/accounts/corp');
    expect(standIn.windows).toHaveLength(1);
    expect(made.loaded).toHaveLength(1);
    expect(made.contents.sent).toEqual([{ channel: channels.route, args: ['#/accounts/corp'] }]);
    expect([made.isVisible(), made.isMinimized()]).toEqual([true, false]);
  });

  it.each([
    'javascript:alert(1)',
    'https://example.com/',
    '/clusters',
    '#clusters',
    '#/clusters?a=<b>',
    '#/clusters/a b',
    '#/Clusters',
    '#/clusters/\u202Ea',
    `#/clusters/${'a'.repeat(2_000)}`,
    '#/clusters#x',
    '',
  ])('takes %j for no view', async (route) => {
    const made = await show(route);
    expect(made.loaded).toEqual(['app://lanyard/']);
    window.show(route);
    expect(made.contents.sent).toEqual([]);
  });

  it('hides when the user closes it, and keeps its view', async () => {
    const made = await show();
    made.close();
    expect([made.isVisible(), made.isDestroyed(), closes]).toEqual([false, false, 1]);
    window.show(null);
    expect(made.isVisible()).toBe(true);
  });

  it('leaves macOS’s full screen before it hides: a black one would stay', async () => {
    window = create('darwin');
    const made = await show();
    made.setFullScreen(true);
    made.close();
    expect([made.isFullScreen(), made.isVisible()]).toEqual([false, true]);
    made.happen('leave-full-screen');
    expect(made.isVisible()).toBe(false);
  });

  it('gives its page back after a while out of sight, and comes back where it was', async () => {
    const made = await show('#/clusters');
    made.contents.happen('did-navigate-in-page', 'app://lanyard/#/accounts/corp', true);
    made.bounds = { x: 5, y: 5, width: 900, height: 700 };
    made.close();
    clock.advance(4 * 60_000);
    expect(made.isDestroyed()).toBe(false);
    clock.advance(61_000);
    expect(made.isDestroyed()).toBe(true);
    const next = await show(null);
    expect(next.loaded).toEqual(['app://lanyard/#/accounts/corp']);
    expect(next.options).toMatchObject({ width: 900, height: 700 });
  });

  it('keeps its page while it is in sight', async () => {
    const made = await show();
    made.close();
    clock.advance(60_000);
    window.show(null);
    clock.advance(60 * 60_000);
    expect(made.isDestroyed()).toBe(false);
  });

  it('keeps its page while a login is under way, which might be its own', async () => {
    const made = await show();
    const login = { startedAt: 0, flow: 'device' };
    state = { ...state, accounts: { corp: { name: 'corp', login } } } as unknown as UiState;
    made.close();
    clock.advance(5 * 60_000);
    expect(made.isDestroyed()).toBe(false);
    state = emptyState();
    clock.advance(5 * 60_000);
    expect(made.isDestroyed()).toBe(true);
  });

  it('reloads a page that crashed, a few times; then it says so', async () => {
    const made = await show();
    const crash = () => opened().contents.happen('render-process-gone', { reason: 'crashed' });
    for (let i = 0; i < 3; i++) {
      crash();
    }
    expect([made.contents.reloads, standIn.errors.length]).toEqual([3, 0]);
    crash();
    expect(made.isDestroyed()).toBe(true);
    expect(standIn.errors).toMatchObject([{ title: 'Lanyard can’t show its window' }]);
    clock.advance(60_000);
    await show();
    crash();
    expect(opened().contents.reloads).toBe(1);
  });

  it('reloads a page that sent invalid messages', async () => {
    const made = await show();
    const event = { sender: made.contents, senderFrame: made.contents.mainFrame };
    standIn.ipc.events.emit(channels.begin, event);
    standIn.ipc.events.emit(channels.toBroker, event, { not: 'a text' });
    expect([ended, made.contents.reloads]).toEqual([1, 1]);
  });

  it('comes back from where Chromium let its page go all the same, at the view that it had', async () => {
    const made = await show();
    made.contents.happen('did-navigate-in-page', 'app://lanyard/#/clusters/prod', true);
    made.contents.happen('did-navigate-in-page', 'app://lanyard/#/settings', false);
    made.contents.navigate('about:blank');
    expect(made.loaded).toEqual(['app://lanyard/', 'app://lanyard/#/clusters/prod']);
    expect(made.contents.reloads).toBe(0);
  });

  it('has the icon of its files', async () => {
    expect((await show()).options.icon).toBe('/dist/app/icons/window.png');
  });

  it('takes a load that failed for a broken page, and one that was overtaken for none', async () => {
    const made = await show();
    made.contents.happen('did-fail-load', -3, 'ERR_ABORTED', 'app://lanyard/', true);
    made.contents.happen('did-fail-load', -6, 'ERR_FILE_NOT_FOUND', 'app://lanyard/a', false);
    expect(made.contents.reloads).toBe(0);
    made.contents.happen('did-fail-load', -6, 'ERR_FILE_NOT_FOUND', 'app://lanyard/', true);
    expect(made.contents.reloads).toBe(1);
  });

  it('says where its files are missing, and tries again the next time', async () => {
    rmSync(join(folder, 'pages', 'index.html'));
    window.show(null);
    await expect.poll(() => standIn.errors.length).toBe(1);
    expect(standIn.errors[0]?.text).toContain(join(folder, 'pages'));
    expect(opened().isDestroyed()).toBe(true);
    writeFileSync(join(folder, 'pages', 'index.html'), '<p>page');
    expect((await show()).loaded).toEqual(['app://lanyard/']);
  });

  it('opens the https links that the broker gave its page in the browser, a few', async () => {
    const { contents } = await show();
    begins(contents);
    const given = [
      'https://id.example.com/device?user_code=A',
      'http://127.0.0.1:8080/',
      'http://example.com/',
      'https://user:secret@example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'ms-settings:privacy',
      'vscode://x',
      'app://lanyard/',
      'not an address',
    ];
    for (const url of given) {
      const value = { shows: 'browserPage', url, opened: false, trouble: null, expiresInSeconds: 60 };
      say({ kind: 'progress', id: 1, value });
    }
    // Names that a page sees, put into an address by the page.
    const others = ['https://evil.example.com/?clusters=prod', 'https://id.example.com/device?user_code=B'];
    const all = [...given, ...others];
    expect(all.map((url) => contents.openWindow(url).action)).toEqual(all.map(() => 'deny'));
    expect(browsed).toEqual(['https://id.example.com/device?user_code=A']);
    for (let i = 0; i < 100; i++) {
      contents.openWindow('https://id.example.com/device?user_code=A');
    }
    expect(browsed.length).toBeLessThanOrEqual(4);
  });

  it('opens the page of a device code, with its code and without', async () => {
    const { contents } = await show();
    begins(contents);
    const code = {
      shows: 'deviceCode',
      verificationUri: 'https://id.example.com/device',
      verificationUriComplete: 'https://id.example.com/device?user_code=A',
      userCode: 'A',
      expiresInSeconds: 60,
    };
    say({ kind: 'progress', id: 1, value: code });
    contents.openWindow(code.verificationUri);
    contents.openWindow(code.verificationUriComplete);
    expect(browsed).toEqual([code.verificationUri, code.verificationUriComplete]);
  });

  it('follows the user’s choice of light and dark, frame and background', async () => {
    const made = await show();
    const light = made.backgroundColour;
    state = { ...state, appearance: { '': { theme: 'dark' } } } as unknown as UiState;
    tellChange();
    expect(standIn.theme.themeSource).toBe('dark');
    standIn.theme.shouldUseDarkColors = true;
    standIn.theme.happen('updated');
    expect(made.backgroundColour).not.toBe(light);
  });

  it('ends with the app, and hears nothing any more', async () => {
    const made = await show();
    await window.dispose();
    expect(made.isDestroyed()).toBe(true);
    expect(standIn.ipc.events.eventNames()).toEqual([]);
    expect(standIn.theme.events.eventNames()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('does what its keys say', async () => {
    const { contents } = await show();
    const press = (key: string) =>
      contents.happen('before-input-event', {
        type: 'keyDown',
        key,
        control: true,
        meta: false,
        alt: false,
        shift: false,
      }).defaultPrevented;
    expect([press('='), press('='), contents.zoomLevel]).toEqual([true, true, 1]);
    expect([press('-'), contents.zoomLevel]).toEqual([true, 0.5]);
    expect([press('0'), contents.zoomLevel]).toEqual([true, 0]);
    for (let i = 0; i < 50; i++) {
      press('-');
    }
    expect(contents.zoomLevel).toBe(-3);
    expect([press('r'), contents.reloads]).toEqual([true, 1]);
    expect(press('k')).toBe(false);
    expect(press('w')).toBe(true);
    expect(window.isShown()).toBe(false);
  });
});
