import { createAllowance } from '../../main/base/allowance.ts';
import { type Disposable, Disposables } from '../../main/base/disposables.ts';
import { toRefusal } from '../../main/contract/broker-error.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { ElectronModule } from '../electron.ts';
import type { AppFiles } from '../files.ts';
import { unfinishedWork } from '../unfinished-work.ts';
import { followAppearance, groundOf } from './appearance.ts';
import { type OpenWindow, type OpenWindowDeps, openWindow } from './open-window.ts';
import { isRoute } from './route.ts';
import { pagesPartition, servePages } from './serve-pages.ts';

/** A window that is hidden for this long is destroyed, to free its page's process. */
const unseenMilliseconds = 5 * 60_000;
/** Reloads a page that broke, but not one that breaks again and again. */
const renewals = { atOnce: 3, perSecond: 1 / 60 };

export interface MainWindowDeps
  extends Pick<OpenWindowDeps, 'platform' | 'door' | 'browser' | 'clock' | 'log' | 'onClose'> {
  electron: Pick<ElectronModule, 'BrowserWindow' | 'app' | 'dialog' | 'ipcMain' | 'nativeTheme' | 'session'>;
  files: Pick<AppFiles, 'pages' | 'preload' | 'windowIcon'>;
  page: Pick<LocalPage, 'state' | 'onChange'>;
}

/** The one window with Lanyard's pages. Created when it is first shown, so that a hidden start doesn't pay for it. */
export interface MainWindow extends Disposable {
  /** Creates the window or brings it to the front. `route`: `#/clusters/prod`; null: the view where it was. */
  show(route: string | null): void;
  isShown(): boolean;
  /** The view in the window in front: `#/clusters/prod`, or '' for the first one. Null: another window is in front. */
  inFrontAt(): string | null;
}

export function createMainWindow(deps: MainWindowDeps): MainWindow {
  const { electron, files, page, clock, log } = deps;
  const mayRenew = createAllowance(renewals, clock);
  let open: OpenWindow | null = null;
  let unseen: Disposable | null = null;
  let serving: Promise<void> | null = null;
  /** The view and size for the next window. */
  let last = { route: '', size: { width: 1120, height: 760 } };

  function begin(route: string): void {
    const mine = openWindow({
      ...deps,
      ...last,
      partition: pagesPartition,
      preload: files.preload,
      icon: files.windowIcon,
      onBroken: (why) => broken(mine, why),
    });
    open = mine;
    mine.window.on('show', () => unseen?.dispose());
    mine.window.on('hide', waitUnseen);
    serving ??= servePages({ electron, folder: files.pages, clock });
    serving.then(
      () => {
        if (open === mine) {
          mine.load(route);
        }
      },
      (error: unknown) => {
        serving = null;
        log.error('window.pages', { error });
        const { message, hint } = toRefusal(error);
        fail(`${message}${hint === undefined ? '' : `: ${hint}`}`);
      },
    );
  }

  function broken(mine: OpenWindow, why: string): void {
    if (open !== mine) {
      return;
    }
    log.warn('window.broken', { why });
    if (mayRenew.take(1)) {
      mine.renew();
    } else {
      fail('the window crashed repeatedly; reopen it or run lanyard doctor');
    }
  }

  function fail(message: string): void {
    end();
    electron.dialog.showErrorBox('Lanyard can’t show its window', message);
  }

  function end(): void {
    const mine = open;
    open = null;
    unseen?.dispose();
    if (mine && !mine.window.isDestroyed()) {
      const { width, height } = mine.window.getNormalBounds();
      last = { route: mine.route(), size: { width, height } };
      void mine.dispose();
    }
  }

  function waitUnseen(): void {
    unseen?.dispose();
    unseen = clock.after(unseenMilliseconds, () => {
      // Destroying the window would end a login that the page began.
      if (unfinishedWork(page.state()).length === 0) {
        end();
      } else {
        waitUnseen();
      }
    });
  }

  const running = new Disposables();
  running.add({ dispose: end });
  running.add(
    followAppearance({
      nativeTheme: electron.nativeTheme,
      page,
      onGround: () => open?.window.setBackgroundColor(groundOf(electron.nativeTheme)),
    }),
  );
  return {
    show(given) {
      const route = given !== null && isRoute(given) ? given : null;
      if (!open) {
        begin(route ?? last.route);
        return;
      }
      if (route !== null) {
        open.go(route);
      }
      open.toFront();
    },
    isShown: () => open?.window.isVisible() ?? false,
    inFrontAt() {
      const isInFront = open?.window.isVisible() && open.window.isFocused() && !open.window.isMinimized();
      return open && isInFront ? open.route() : null;
    },
    dispose: () => running.dispose(),
  };
}
