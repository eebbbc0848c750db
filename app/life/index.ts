import { type Disposable, Disposables } from '../../main/base/disposables.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Act } from '../actions.ts';
import type { ElectronModule } from '../electron.ts';
import { createDock } from './dock.ts';
import { setJumpList } from './jump-list.ts';
import { countForUser } from './needs-user.ts';
import { type OnlyApp, startAgain } from './only-app.ts';

export interface LifeDeps {
  electron: Pick<ElectronModule, 'app' | 'Menu'>;
  platform: NodeJS.Platform;
  clock: Pick<Clock, 'after'>;
  page: Pick<LocalPage, 'state' | 'onChange'>;
  act: Act;
  only: Pick<OnlyApp, 'onStart'>;
  /** The command line that this app is started with. */
  own: readonly [program: string, ...words: string[]];
}

/** The parts of the desktop besides tray and windows: second starts, dock, jump list, badge. */
export function createLife({ electron, platform, clock, page, act, only, own }: LifeDeps): Disposable {
  const { app } = electron;
  const disposables = new Disposables();
  only.onStart(act);
  disposables.add({ dispose: () => only.onStart(startAgain(app, own)) });
  // A click on the dock's icon.
  const activate = () => act({ kind: 'show', route: null });
  // Without a listener, Electron quits when the last window closes. Lanyard runs without one.
  const windowsClosed = () => undefined;
  app.on('activate', activate);
  app.on('window-all-closed', windowsClosed);
  disposables.add({
    dispose() {
      app.removeListener('activate', activate);
      app.removeListener('window-all-closed', windowsClosed);
    },
  });
  disposables.add(createDock({ electron, clock, page, act }));
  if (platform === 'win32') {
    setJumpList({ app, program: process.execPath });
  } else {
    disposables.add(keepBadge(app, page));
  }
  return disposables;
}

/** On the icon in the dock of macOS, and of those Linux desktops that show a badge. */
function keepBadge(app: Pick<ElectronModule['app'], 'setBadgeCount'>, page: LifeDeps['page']): Disposable {
  let shown = 0;
  const update = () => {
    const count = countForUser(page.state());
    if (count !== shown) {
      shown = count;
      app.setBadgeCount(count);
    }
  };
  update();
  return page.onChange(update);
}
