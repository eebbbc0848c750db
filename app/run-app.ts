import { Disposables } from '../main/base/disposables.ts';
import { createLocalPage, type LocalPage } from '../main/doors/ui/local-page.ts';
import { createLog } from '../main/logging/create-log.ts';
import { loadAddon } from '../main/native/addon.ts';
import { createSystemClock } from '../main/native/system-clock.ts';
import { startBroker } from '../main/start-broker.ts';
import { createActing } from './acting.ts';
import { createAppBrowser } from './adapters/app-browser.ts';
import { createPowerEvents } from './adapters/power-events.ts';
import type { DesktopStart } from './arguments.ts';
import { createDesktop } from './desktop.ts';
import { createDialogs } from './dialogs/index.ts';
import type { ElectronModule } from './electron.ts';
import { appFiles, type Places } from './files.ts';
import { hardenApp } from './hardening/index.ts';
import { isStartRefused } from './hardening/refused-switches.ts';
import { createLife, type Life } from './life/index.ts';
import { createLoginItem } from './life/login-item.ts';
import { findTray } from './life/tray-presence.ts';
import { createNotifier } from './notifications/index.ts';
import { createPause } from './notifications/pause.ts';
import { prepareScheme } from './scheme/index.ts';
import { startCommands } from './start-commands.ts';
import { createTray } from './tray/index.ts';
import { createUpdates, type Updates } from './updates/index.ts';
import { whatEnds } from './what-ends.ts';
import { createMainWindow } from './windows/index.ts';

export interface AppOptions {
  electron: ElectronModule;
  places: Places;
  start: DesktopStart;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/** The desktop app: wiring only. Resolves when it is there; Electron keeps it alive from then on. */
export async function runApp({ electron, places, start, env, platform }: AppOptions): Promise<void> {
  const { app } = electron;
  const files = appFiles(places);
  const commands = startCommands({ app, env, platform });
  if (isStartRefused(electron)) {
    app.exit(2);
    return;
  }
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  prepareScheme(electron);
  const log = createLog();
  hardenApp({ app, log });
  await app.whenReady();

  const running = new Disposables();
  const clock = createSystemClock(loadAddon(files.addon));
  const hasTray = await findTray(platform, env);
  const pause = running.add(createPause({ clock }));
  const notices = { areSupported: false, areQuiet: () => false };
  const loginItem = createLoginItem({ app, platform });
  const updates: Updates = running.add(createUpdates({ clock, log, busy: () => whatEnds(page.state()) }));
  running.add(createDialogs({ electron, platform, clock, log }));
  const browser = createAppBrowser({ shell: electron.shell, platform, env, clock });
  const broker = running.add(
    await startBroker({
      env,
      log,
      files,
      commands,
      browser,
      passphraseFile: undefined,
      desktop: createDesktop({ loginItem, hasTray, pause, notices, updates }),
      events: running.add(createPowerEvents({ powerMonitor: electron.powerMonitor, clock, platform })),
    }),
  );
  const page: LocalPage = running.add(createLocalPage(broker.ui));
  await page.ready;
  const window = running.add(
    createMainWindow({
      electron,
      platform,
      files,
      door: broker.ui,
      page,
      browser,
      clock,
      log,
      onClose() {
        if (hasTray || platform === 'darwin') {
          return 'hide';
        }
        life.quit();
        return 'stay';
      },
    }),
  );
  const act = createActing({ electron, clock, page, window, pause, quit: () => life.quit(), log });
  if (hasTray) {
    running.add(createTray({ electron, platform, clock, page, act, icons: files.icons }));
  }
  running.add(createNotifier({ electron, clock, log, page, pause, act }));
  const life: Life = running.add(
    createLife({ electron, platform, log, page, act, hasTray, end: () => running.dispose() }),
  );
  void broker.left.then(() => life.quit());
  if (!start.hidden || !hasTray) {
    window.show(start.route);
  }
  log.info('app.ready', { vault: broker.vault, pid: process.pid });
}
