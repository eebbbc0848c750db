import type { DownloadItem, WebContents } from 'electron';
import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../main/ports/log.ts';
import { standInEvent } from '../../test/support/electron/events.ts';
import { createStandIn, type StandIn, type StandInWindow } from '../../test/support/electron/index.ts';
import type { StandInSession } from '../../test/support/electron/session.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { onlyOwnDownloads, plainName } from './downloads.ts';
import { hardenApp } from './index.ts';
import { ownFilesOnly } from './own-files-only.ts';
import { isStartRefused } from './refused-switches.ts';
import { webPreferences } from './web-preferences.ts';

const linux = { argv: ['/opt/Lanyard/lanyard-desktop'], platform: 'linux', isRoot: false } as const;

let standIn: StandIn;
let clock: ManualClock;

beforeEach(() => {
  standIn = createStandIn();
  clock = new ManualClock();
  hardenApp({ app: standIn.electron.app, log: silentLog });
});

async function openWindow(url = 'app://lanyard/'): Promise<StandInWindow> {
  const window = new standIn.electron.BrowserWindow({ webPreferences: { partition: 'test' } });
  await window.loadURL(url);
  return standIn.windows.at(-1) as StandInWindow;
}

function sessionOf(partition: string): StandInSession {
  standIn.electron.session.fromPartition(partition);
  return standIn.sessions.get(partition) as StandInSession;
}

it('web preferences give a page nothing of Node, and say so themselves', () => {
  expect(webPreferences({ partition: 'lanyard', preload: '/p.cjs', isPackaged: true })).toEqual({
    partition: 'lanyard',
    preload: '/p.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    plugins: false,
    experimentalFeatures: false,
    enableBlinkFeatures: '',
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: false,
    autoplayPolicy: 'document-user-activation-required',
    devTools: false,
  });
  expect(webPreferences({ partition: 'x', isPackaged: false })).toMatchObject({ devTools: true });
});

describe('the hardened app', () => {
  it('puts all renderers into the sandbox', () => {
    expect(standIn.app.isSandboxed).toBe(true);
  });

  it.each(['will-navigate', 'will-frame-navigate'])('%s: a page goes nowhere', async (event) => {
    const { contents } = await openWindow('app://lanyard/#/clusters');
    const goes = (url: string, isMainFrame = true) => {
      const details = standInEvent({ url, isMainFrame, isSameDocument: false });
      contents.events.emit(event, details);
      return !details.defaultPrevented;
    };
    const refused = [
      'https://example.com/',
      'http://127.0.0.1/',
      'app://lanyard/other',
      'app://lanyard/?a=1',
      'app://lanyard.example/',
      'app://other/',
      'file:///etc/passwd',
      'data:text/html,hello',
      'javascript:alert(1)',
      'about:blank',
      'blob:app://lanyard/1',
      'ms-settings:',
    ];
    expect(refused.filter((url) => goes(url))).toEqual([]);
    expect(goes('app://lanyard/', false)).toBe(false);
    // A reload of its own document.
    expect(goes('app://lanyard/#/accounts')).toBe(true);
  });

  it('logs a few of a page’s tries to go elsewhere, and never where to', async () => {
    const logged: unknown[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => void logged.push(line) };
    hardenApp({ app: standIn.electron.app, log });
    const { contents } = await openWindow();
    for (let i = 0; i < 1_000; i++) {
      contents.events.emit(
        'will-navigate',
        standInEvent({ url: 'https://example.com/?secret', isMainFrame: true, isSameDocument: false }),
      );
    }
    expect(logged).toHaveLength(20);
    expect(JSON.stringify(logged)).not.toContain('example');
  });

  it.each(['will-redirect', 'will-attach-webview'])('%s is always blocked', async (event) => {
    const { contents } = await openWindow();
    expect(contents.happen(event).defaultPrevented).toBe(true);
  });

  it('opens no window', async () => {
    const { contents } = await openWindow();
    expect(
      ['app://lanyard/', 'https://example.com/', 'about:blank'].map((url) => contents.openWindow(url)),
    ).toEqual(Array(3).fill({ action: 'deny' }));
    expect(standIn.opened).toEqual([]);
  });

  it('gives WebRTC no way around', async () => {
    expect((await openWindow()).contents.webRtcPolicy).toBe('disable_non_proxied_udp');
  });

  it('pairs with no device that a page asks for', async () => {
    const chosen: unknown[] = [];
    const choose = (...given: unknown[]) => chosen.push(...given);
    const { contents } = await openWindow();
    expect(contents.happen('select-bluetooth-device', [{ deviceId: 'a' }], choose).defaultPrevented).toBe(
      true,
    );
    const session = sessionOf('test');
    expect(session.happen('select-hid-device', {}, choose).defaultPrevented).toBe(true);
    expect(session.happen('select-serial-port', [], contents, choose).defaultPrevented).toBe(true);
    expect(session.happen('select-usb-device', {}, choose).defaultPrevented).toBe(true);
    expect(chosen).toEqual(['', null, '']);
  });

  it('rejects bad certificates, and shows none of the user’s certificates', () => {
    const answers: unknown[] = [];
    const contents = {};
    const answer = (...given: unknown[]) => answers.push(given);
    const bad = standIn.app.happen('certificate-error', contents, 'https://x/', 'expired', {}, answer);
    const own = standIn.app.happen('select-client-certificate', contents, 'https://x/', [{}], answer);
    expect([bad.defaultPrevented, own.defaultPrevented]).toEqual([true, true]);
    expect(answers).toEqual([[false], []]);
  });

  it('gives a session no permission, no device and no screen, also one that others make', () => {
    const session = sessionOf('of-somebody');
    const contents = {} as WebContents;
    const permissions = [
      'clipboard-read',
      'clipboard-sanitized-write',
      'notifications',
      'openExternal',
      'media',
      'hid',
      'unknown',
    ] as const;
    for (const permission of permissions) {
      const asked: boolean[] = [];
      session.permissionRequest?.(contents, permission, (given) => asked.push(given), {} as never);
      expect(asked, permission).toEqual([false]);
      expect(session.permissionCheck?.(contents, permission, 'app://lanyard', {} as never), permission).toBe(
        false,
      );
    }
    expect(session.devicePermission?.({ deviceType: 'usb' } as never)).toBe(false);
    const answers: unknown[] = [];
    session.displayMedia?.({} as never, (streams) => answers.push(streams));
    session.bluetoothPairing?.({} as never, (response) => answers.push(response));
    expect(answers).toEqual([null, { confirmed: false }]);
    expect(session.usbProtectedClasses?.({ protectedClasses: ['hid', 'mass-storage'] } as never)).toEqual([
      'hid',
      'mass-storage',
    ]);
    expect(session.hasSpellChecker).toBe(false);
  });
});

describe('the pages’ session', () => {
  it.each([
    ['app://lanyard/', true],
    ['app://lanyard/assets/a.js', true],
    ['blob:app://lanyard/5b1c', true],
    ['app://lanyard.example/', false],
    ['app://other/', false],
    ['blob:https://example.com/1', false],
    ['https://example.com/', false],
    ['http://127.0.0.1:8080/', false],
    ['ws://127.0.0.1:8080/', false],
    ['wss://example.com/', false],
    ['file:///etc/passwd', false],
    ['data:text/html,x', false],
    ['chrome://gpu/', false],
    ['devtools://devtools/bundled/a.js', false],
  ])('%s: %s', (url, isLet) => {
    const session = sessionOf('test');
    ownFilesOnly(standIn.electron.session.fromPartition('test'), { isPackaged: true });
    expect(session.letsOut(url)).toBe(isLet);
  });

  it('lets those who build Lanyard have their tools', () => {
    ownFilesOnly(standIn.electron.session.fromPartition('test'), { isPackaged: false });
    expect(sessionOf('test').letsOut('devtools://devtools/bundled/a.js')).toBe(true);
  });

  it('trusts no server’s certificate', () => {
    const answers: number[] = [];
    ownFilesOnly(standIn.electron.session.fromPartition('test'), { isPackaged: true });
    sessionOf('test').certificateVerify?.({} as never, (answer) => answers.push(answer));
    expect(answers).toEqual([-2]);
  });
});

class Item {
  options: unknown = null;
  finish: () => void = () => undefined;
  readonly url: string;
  readonly name: string;
  constructor(url: string, name = 'lanyard-activity.jsonl') {
    this.url = url;
    this.name = name;
  }
  getURL = () => this.url;
  getFilename = () => this.name;
  setSaveDialogOptions = (options: unknown) => {
    this.options = options;
  };
  once = (_event: 'done', listener: () => void) => {
    this.finish = listener;
  };
}

describe('downloads', () => {
  let session: StandInSession;
  const download = (item: Item) =>
    !session.happen('will-download', item as unknown as DownloadItem, {}).defaultPrevented;

  beforeEach(() => {
    session = sessionOf('test');
    const { app, session: sessions } = standIn.electron;
    onlyOwnDownloads({ session: sessions.fromPartition('test'), app, clock });
  });

  it('of what the page made are asked for, one after the other', () => {
    const item = new Item('blob:app://lanyard/1');
    expect(download(item)).toBe(true);
    expect(item.options).toEqual({ defaultPath: '/home/somebody/downloads/lanyard-activity.jsonl' });
    expect(download(new Item('blob:app://lanyard/2'))).toBe(false);
    item.finish();
    expect(download(new Item('blob:app://lanyard/3'))).toBe(true);
  });

  it('of a page that asks again and again come to an end, and come back', () => {
    const ask = () => {
      const item = new Item('blob:app://lanyard/1');
      const isAsked = download(item);
      item.finish();
      return isAsked;
    };
    expect(Array.from({ length: 50 }, ask).filter(Boolean)).toHaveLength(4);
    clock.advance(30_000);
    expect(ask()).toBe(true);
  });

  it.each([
    'https://example.com/a.exe',
    'app://lanyard/',
    'data:text/plain,a',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'blob:null/1',
  ])('of %s are blocked', (url) => {
    expect(download(new Item(url))).toBe(false);
  });

  it.each([
    ['lanyard-activity.jsonl', 'lanyard-activity.jsonl'],
    ['../../.ssh/authorized_keys', 'ssh-authorized_keys.txt'],
    ['..\\..\\evil.bat', 'evil.bat.txt'],
    ['.bashrc', 'bashrc.txt'],
    ['a\u202Egpj.exe', 'a-gpj.exe.txt'],
    ['lanyard.desktop', 'lanyard.desktop.txt'],
    ['a\nb\0c.json', 'a-b-c.json'],
    ['', 'lanyard.txt'],
    ['...', 'lanyard.txt'],
  ])('named %j are proposed as %s', (name, plain) => {
    expect(plainName(name)).toBe(plain);
  });
});

describe('switches that let others see in', () => {
  it.each([
    'remote-debugging-port',
    'remote-debugging-pipe',
    'inspect',
    'inspect-brk',
    'js-flags',
    'disable-web-security',
    'load-extension',
    'disable-extensions-except',
    'remote-allow-origins',
    // Another program instead of a child process.
    'browser-subprocess-path',
    'zygote-cmd-prefix',
    'renderer-cmd-prefix',
    'utility-cmd-prefix',
    'gpu-launcher',
    'ppapi-plugin-launcher',
    // Pages without the sandbox, or with less of it.
    'no-sandbox',
    'single-process',
    'in-process-gpu',
    'disable-seccomp-filter-sandbox',
    'disable-setuid-sandbox',
    'disable-namespace-sandbox',
    'disable-gpu-sandbox',
    'no-zygote-sandbox',
    'allow-sandbox-debugging',
    'disable-site-isolation-trials',
    'log-net-log',
  ])('--%s keeps an installed app from starting, and says so', (name) => {
    standIn.app.switches.set(name, '');
    expect(isStartRefused(standIn.electron, linux)).toBe(false);
    standIn.app.isPackaged = true;
    expect(isStartRefused(standIn.electron, linux)).toBe(true);
    expect(standIn.errors).toEqual([
      {
        title: 'Lanyard did not start',
        text: expect.stringMatching(new RegExp(`^It was started with --${name}\\. Start it without`)),
      },
    ]);
  });

  it('others don’t, nor does what Electron adds itself', () => {
    standIn.app.isPackaged = true;
    standIn.app.switches.set('ozone-platform', 'wayland');
    expect(standIn.electron.app.commandLine.hasSwitch('allow-file-access-from-files')).toBe(true);
    expect(isStartRefused(standIn.electron, linux)).toBe(false);
  });

  it.each([
    { words: ['--allow-file-access-from-files'], on: ['linux', 'darwin', 'win32'] },
    { words: ['--allow-file-access-from-files=1'], on: ['linux', 'darwin', 'win32'] },
    { words: ['--hidden', '-allow-file-access-from-files'], on: ['linux', 'darwin', 'win32'] },
    { words: ['--Allow-File-Access-From-Files'], on: ['linux', 'darwin', 'win32'] },
    { words: [' --allow-file-access-from-files '], on: ['linux', 'darwin', 'win32'] },
    // On Linux and macOS this is a path.
    { words: ['/allow-file-access-from-files'], on: ['win32'] },
    // Words that are no switch for Chromium.
    { words: ['--', '--allow-file-access-from-files'], on: [] },
    { words: ['allow-file-access-from-files'], on: [] },
    { words: ['--show=--allow-file-access-from-files'], on: [] },
  ] as const)('what Electron adds itself is refused where it was given: $words', ({ words, on }) => {
    standIn.app.isPackaged = true;
    const refusing = (['linux', 'darwin', 'win32'] as const).filter((platform) =>
      isStartRefused(standIn.electron, {
        argv: ['/opt/Lanyard/lanyard-desktop', ...words],
        platform,
        isRoot: false,
      }),
    );
    expect(refusing).toEqual(on);
  });

  // Installed or not: without that switch, Chromium itself doesn’t start as root.
  it.each([
    { platform: 'linux', isRoot: true, words: ['--no-sandbox'], refused: true },
    { platform: 'linux', isRoot: true, words: [], refused: false },
    { platform: 'linux', isRoot: false, words: ['--no-sandbox'], refused: false },
    { platform: 'darwin', isRoot: true, words: ['--no-sandbox'], refused: false },
  ] as const)('as root on Linux it says that there is no window: $platform $isRoot $words', (each) => {
    const { platform, isRoot, words, refused } = each;
    for (const word of words) {
      standIn.app.switches.set(word.slice(2), '');
    }
    expect(isStartRefused(standIn.electron, { argv: ['electron', ...words], platform, isRoot })).toBe(
      refused,
    );
    expect(standIn.errors.map(({ text }) => /ordinary user.*lanyard agent/.test(text))).toEqual(
      refused ? [true] : [],
    );
  });
});
