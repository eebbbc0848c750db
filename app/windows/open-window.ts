import type { Disposable } from '../../main/base/disposables.ts';
import type { UiDoor } from '../../main/doors/ui/index.ts';
import type { Browser } from '../../main/ports/browser.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { AppWindow, ElectronModule } from '../electron.ts';
import { webPreferences } from '../hardening/web-preferences.ts';
import { toFront as bringToFront } from '../in-front.ts';
import { channels } from '../ipc/channels.ts';
import { createPageIpc } from '../ipc/page-ipc.ts';
import { pagesOrigin } from '../scheme/index.ts';
import { groundOf } from './appearance.ts';
import { openPageLinks } from './page-links.ts';
import { isRoute } from './route.ts';
import { handleWindowKeys } from './window-keys.ts';

/** Chromium's code for a load that another one replaced. */
const loadAborted = -3;

export interface OpenWindowDeps {
  electron: Pick<ElectronModule, 'BrowserWindow' | 'app' | 'ipcMain' | 'nativeTheme'>;
  platform: NodeJS.Platform;
  partition: string;
  preload: string;
  /** Undefined: the executable has it. */
  icon: string | undefined;
  size: { width: number; height: number };
  door: Pick<UiDoor, 'connect'>;
  browser: Pick<Browser, 'open'>;
  clock: Clock;
  log: Log;
  /** Called when the user closes the window, which hides. */
  onClose(): void;
  /** The page broke, did not load, or sent invalid messages. */
  onBroken(why: string): void;
}

/** An open window, from its creation to its end. */
export interface OpenWindow extends Disposable {
  readonly window: AppWindow;
  /** The view that it shows, or showed before Chromium put another page in its place: `#/clusters/prod`, '' for the first. */
  route(): string;
  /** Loads the document at that view. Shows the window when the first of it is drawn. */
  load(route: string): void;
  /** Loads the document again after it broke. */
  renew(): void;
  /** Shows another view in the same document. */
  go(route: string): void;
  /** Brings the window to the front. A window that isn't drawn yet comes to the front automatically. */
  toFront(): void;
}

export function openWindow(deps: OpenWindowDeps): OpenWindow {
  const { electron, platform, clock } = deps;
  const { isPackaged } = electron.app;
  const window = new electron.BrowserWindow({
    ...deps.size,
    minWidth: 480,
    minHeight: 400,
    title: 'Lanyard',
    show: false,
    ...(deps.icon !== undefined && { icon: deps.icon }),
    backgroundColor: groundOf(electron.nativeTheme),
    webPreferences: webPreferences({ partition: deps.partition, preload: deps.preload, isPackaged }),
  });
  const contents = window.webContents;
  const links = openPageLinks(contents, { browser: deps.browser, clock });
  const ipc = createPageIpc({
    ipcMain: electron.ipcMain,
    contents,
    door: deps.door,
    said: links.said,
    clock,
    log: deps.log,
    refused: () => deps.onBroken('refused'),
  });
  let isDrawn = false;
  let route = '';
  const keepRoute = (url: string) => {
    if (isOwn(url)) {
      const { hash } = new URL(url);
      route = isRoute(hash) ? hash : '';
    }
  };
  // `did-fail-load` reports the failure, too.
  const load = (at: string) => {
    route = at;
    void window.loadURL(`${pagesOrigin}/${at}`).catch(() => undefined);
  };
  const toFront = () => {
    if (window.isMinimized()) {
      window.restore();
    }
    window.show();
    window.focus();
    bringToFront(electron, platform);
  };

  const hide = () => {
    if (platform === 'darwin' && window.isFullScreen()) {
      // A full-screen window that is hidden would leave a black screen (electron/electron#39572).
      window.once('leave-full-screen', () => window.hide());
      window.setFullScreen(false);
    } else {
      window.hide();
    }
  };

  handleWindowKeys(window, { platform, isPackaged });
  window.once('ready-to-show', () => {
    isDrawn = true;
    toFront();
  });
  window.on('close', (event) => {
    event.preventDefault();
    hide();
    deps.onClose();
  });
  window.once('closed', () => void ipc.dispose());
  contents.on('render-process-gone', (_event, { reason }) => deps.onBroken(reason));
  // app/hardening blocks navigation. If Chromium shows another page anyway, such as an empty one, replaces it.
  contents.on('did-navigate', (_event, url) => {
    keepRoute(url);
    if (!isOwn(url)) {
      deps.onBroken('elsewhere');
    }
  });
  contents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    if (isMainFrame) {
      keepRoute(url);
    }
  });
  contents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (isMainFrame && code !== loadAborted) {
      deps.onBroken(description);
    }
  });
  return {
    window,
    route: () => route,
    load,
    renew() {
      if (isOwn(contents.getURL())) {
        contents.reload();
      } else {
        load(route);
      }
    },
    go: (to) => contents.send(channels.route, to),
    toFront() {
      if (isDrawn) {
        toFront();
      }
    },
    dispose() {
      if (!window.isDestroyed()) {
        window.destroy();
      }
    },
  };
}

const isOwn = (url: string) => url.startsWith(`${pagesOrigin}/`);
