import type { Menu } from 'electron';
import type { Disposable } from '../../main/base/disposables.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Act } from '../actions.ts';
import type { ElectronModule } from '../electron.ts';
import { createPictures } from './pictures.ts';
import { toTemplate } from './to-template.ts';
import { trayMenu } from './tray-menu.ts';
import { trayState } from './tray-state.ts';

export interface TrayDeps {
  electron: Pick<ElectronModule, 'Tray' | 'Menu' | 'nativeImage' | 'nativeTheme'>;
  platform: NodeJS.Platform;
  clock: Clock;
  page: Pick<LocalPage, 'state' | 'onChange'>;
  act: Act;
  /** The folder of its pictures. */
  icons: string;
}

/** What is shown changes with the clock, too: at the turn of each minute. */
const minute = 60_000;

/** The icon in the system's tray, and its menu. */
export function createTray({ electron, platform, clock, page, act, icons }: TrayDeps): Disposable {
  const pictureOf = createPictures({ electron, platform, icons });
  const tray = new electron.Tray(pictureOf(trayState(page.state(), clock.now()).shape));
  /** Referenced as long as it may be open: Electron doesn't. */
  let menu: Menu | null = null;
  const build = (items = trayMenu(page.state(), clock.now())) => {
    menu = electron.Menu.buildFromTemplate(toTemplate(items, click));
    return menu;
  };
  const shown = { shape: '', toolTip: '', menu: '' };
  let timer: Disposable | null = null;

  function show(): void {
    const { shape, toolTip } = trayState(page.state(), clock.now());
    if (shape !== shown.shape) {
      tray.setImage(pictureOf(shape));
    }
    if (toolTip !== shown.toolTip) {
      tray.setToolTip(toolTip);
    }
    Object.assign(shown, { shape, toolTip });
    if (platform === 'linux') {
      showMenu();
    }
    timer?.dispose();
    timer = clock.after(minute - (clock.now() % minute), show);
  }

  /**
   * Linux doesn't report that a menu opens: it is made in advance. Replacing it closes it, so only for a different
   * one.
   */
  function showMenu(): void {
    const items = trayMenu(page.state(), clock.now());
    const text = JSON.stringify(items);
    if (text !== shown.menu) {
      shown.menu = text;
      tray.setContextMenu(build(items));
    }
  }

  function click(action: Parameters<Act>[0]): void {
    act(action);
    if (action.kind === 'useContext' && platform === 'linux') {
      // The click has moved the dot already; the state says whether the context followed.
      shown.menu = '';
      showMenu();
    }
  }

  const open = () => act({ kind: 'show', route: null });
  const popUp = () => tray.popUpContextMenu(build());
  if (platform === 'darwin') {
    tray.on('click', popUp);
  } else {
    // On Linux only where the desktop sends it: the menu has the window, too.
    tray.on('click', open);
  }
  if (platform !== 'linux') {
    tray.on('right-click', popUp);
  }
  const onTheme = () => {
    shown.shape = '';
    show();
  };
  if (platform === 'win32') {
    electron.nativeTheme.on('updated', onTheme);
  }
  const changes = page.onChange(show);
  show();
  return {
    // At once: a tray that is gone throws at who shows it something.
    dispose() {
      changes.dispose();
      electron.nativeTheme.removeListener('updated', onTheme);
      timer?.dispose();
      tray.destroy();
    },
  };
}
