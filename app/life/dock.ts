import type { MenuItemConstructorOptions } from 'electron';
import { type Disposable, Disposables } from '../../main/base/disposables.ts';
import type { UiState } from '../../main/contract/ui/state.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Act } from '../actions.ts';
import type { ElectronModule } from '../electron.ts';
import { menuText } from '../tray/menu-text.ts';
import { accountsToLogIn, isClosed } from './needs-user.ts';

/** More would make the menu too long. */
const loginLimit = 8;

/** The menu of the dock's icon. The system adds Quit itself. */
export function dockMenu(state: Pick<UiState, 'accounts' | 'lock'>, act: Act): MenuItemConstructorOptions[] {
  const closed = isClosed(state.lock);
  const logins = closed ? [] : accountsToLogIn(state.accounts).slice(0, loginLimit);
  return [
    { label: 'Open Lanyard', click: () => act({ kind: 'show', route: null }) },
    ...logins.map((account) => ({
      label: `Log in to ${menuText(account)}`,
      click: () => act({ kind: 'login', account }),
    })),
    closed
      ? { label: 'Unlock…', click: () => act({ kind: 'unlock' }) }
      : { label: 'Lock', click: () => act({ kind: 'lock' }) },
  ];
}

export interface DockDeps {
  electron: Pick<ElectronModule, 'app' | 'Menu'>;
  clock: Pick<Clock, 'after'>;
  page: Pick<LocalPage, 'state' | 'onChange'>;
  act: Act;
}

/**
 * macOS: the dock's menu. Shows Lanyard in the dock only while one of its windows is visible; else it is only in the
 * menu bar.
 */
export function createDock({ electron: { app, Menu }, clock, page, act }: DockDeps): Disposable {
  const { dock } = app;
  if (!dock) {
    return { dispose: () => undefined };
  }
  const disposables = new Disposables();
  let shown = '';
  const update = () => {
    const items = dockMenu(page.state(), act);
    const now = JSON.stringify(items.map(({ label }) => label));
    if (now !== shown) {
      shown = now;
      dock.setMenu(Menu.buildFromTemplate(items));
    }
  };
  update();
  disposables.add(page.onChange(update));
  disposables.add(showWhileWindows(app, dock, clock));
  return disposables;
}

/** The events that tell whether a window is visible. */
interface Window {
  on(event: 'show' | 'hide' | 'closed', listener: () => void): unknown;
  isVisible(): boolean;
}

/** Electron ignores a `hide` within a second of a `show` (Browser::DockHide): macOS would keep two icons. */
const hideAgainMilliseconds = 1_200;

function showWhileWindows(
  app: ElectronModule['app'],
  dock: NonNullable<ElectronModule['app']['dock']>,
  clock: Pick<Clock, 'after'>,
): Disposable {
  const visible = new Set<Window>();
  let again: Disposable | null = null;
  const hide = () => {
    if (visible.size === 0) {
      dock.hide();
    }
  };
  const apply = () => {
    if (visible.size > 0) {
      if (!dock.isVisible()) {
        void dock.show();
      }
      return;
    }
    hide();
    void again?.dispose();
    again = clock.after(hideAgainMilliseconds, hide);
  };
  const watch = (_event: unknown, window: Window) => {
    const look = (isVisible: boolean) => {
      visible[isVisible ? 'add' : 'delete'](window);
      apply();
    };
    window.on('show', () => look(true));
    window.on('hide', () => look(false));
    window.on('closed', () => look(false));
    if (window.isVisible()) {
      look(true);
    }
  };
  apply();
  app.on('browser-window-created', watch);
  return {
    dispose() {
      app.removeListener('browser-window-created', watch);
      void again?.dispose();
    },
  };
}
