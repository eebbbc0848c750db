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
  /** The folder of its images. */
  icons: string;
}

/** The clock changes what is shown, so this updates it at each full minute. */
const minute = 60_000;

/** The icon in the system's tray, and its menu. */
export function createTray({ electron, platform, clock, page, act, icons }: TrayDeps): Disposable {
  const pictureOf = createPictures({ electron, platform, icons });
  const tray = new electron.Tray(pictureOf(trayState(page.state(), clock.now()).shape));
  /** Electron keeps no reference, so this one keeps the open menu from being collected. */
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
   * Linux doesn't report that a menu opens, so it is built in advance. Replacing a menu closes it, so only a
   * different one is set.
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
      // The click has already moved the dot. Shows the menu of the state, in case the context didn't change.
      shown.menu = '';
      showMenu();
    }
  }

  const open = () => act({ kind: 'show', route: null });
  const popUp = () => tray.popUpContextMenu(build());
  if (platform === 'darwin') {
    tray.on('click', popUp);
  } else {
    // Linux sends it only on some desktops. The menu can open the window, too.
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
    // Stops updates before it destroys the tray: a destroyed tray throws.
    dispose() {
      changes.dispose();
      electron.nativeTheme.removeListener('updated', onTheme);
      timer?.dispose();
      tray.destroy();
    },
  };
}
