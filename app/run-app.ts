import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Disposables } from '../main/base/disposables.ts';
import { exitCodes } from '../main/contract/exit-codes.ts';
import { createLocalPage, type LocalPage } from '../main/doors/ui/local-page.ts';
import { openLog } from '../main/platform/logging/open-log.ts';
import { loadAddon } from '../main/platform/native/addon.ts';
import { createSystemClock } from '../main/platform/native/system-clock.ts';
import { startBroker } from '../main/start/start-broker.ts';
import { createActing } from './acting.ts';
import { createAppBrowser } from './adapters/app-browser.ts';
import { createPowerEvents } from './adapters/power-events.ts';
import { createUserCheck } from './adapters/user-check.ts';
import type { DesktopStart } from './arguments.ts';
import { createDesktop } from './desktop.ts';
import { createDialogs } from './dialogs/index.ts';
import type { ElectronModule } from './electron.ts';
import { createFileChooser } from './file-chooser.ts';
import { appFiles, type Places } from './files.ts';
import { hardenApp } from './hardening/index.ts';
import { isStartRefused } from './hardening/refused-switches.ts';
import { withBoxesInFront } from './in-front.ts';
import { createClosing } from './life/closing.ts';
import { createEnding } from './life/ending.ts';
import { createLife } from './life/index.ts';
import { openedAtLogin } from './life/login-item.ts';
import { moveToApplications } from './life/move-to-applications.ts';
import { beOnlyApp } from './life/only-app.ts';
import { otherBrokerOf } from './life/other-broker.ts';
import { ownFolder, passingFolder } from './life/own-folder.ts';
import { placeOfApp } from './life/place-of-app.ts';
import { startAtLogin } from './life/start-at-login.ts';
import { sayStartFailed } from './life/start-failure.ts';
import { onSystemEnd } from './life/system-end.ts';
import { startOrTakeOver } from './life/take-over.ts';
import { findTray } from './life/tray-presence.ts';
import { endUninstalled } from './life/uninstalled.ts';
import { identifyOnWindows } from './life/windows-identity.ts';
import { openDesktopFile } from './notifications/desktop-file.ts';
import { createDoNotDisturb } from './notifications/do-not-disturb.ts';
import { createNotifier } from './notifications/index.ts';
import { createPause } from './notifications/pause.ts';
import { createQuiet } from './notifications/quiet.ts';
import { prepareScheme } from './scheme/index.ts';
import { ownWords, startCommands } from './start-commands.ts';
import { createTray } from './tray/index.ts';
import { unfinishedWork } from './unfinished-work.ts';
import { createUpdates, type Updates } from './updates/index.ts';
import { setAppMenu } from './windows/app-menu.ts';
import { createMainWindow } from './windows/index.ts';

export interface AppOptions {
  electron: ElectronModule;
  places: Places;
  start: DesktopStart;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The path of this process's program. */
  execPath?: string;
}

/**
 * The desktop app: wiring only. Resolves when the app runs, or will not run. Electron then keeps the process alive.
 * The code before the first `await` runs before Electron is ready, as Electron requires.
 */
export async function runApp(given: AppOptions): Promise<void> {
  const { places, start, env, platform, execPath = process.execPath } = given;
  const electron = withBoxesInFront(given.electron, platform);
  const { app } = electron;
  const files = appFiles(places);
  const commands = startCommands({ app, env, platform, execPath });
  if (isStartRefused(electron, { argv: process.argv, platform, isRoot: process.getuid?.() === 0 })) {
    // Not that of wrong words, which a helper takes for a second start: it then starts the broker alone.
    app.exit(exitCodes.notPermitted);
    return;
  }
  const log = openLog(files.addon);
  const running = new Disposables();
  let known: LocalPage | null = null;
  const waits = () => (known ? unfinishedWork(known.state()) : []);
  const ending = createEnding({ electron, log, waits, end: () => running.dispose(), wait: delay });
  try {
    const place = placeOfApp({ app, platform, execPath });
    if (place !== null) {
      passingFolder(app);
      await app.whenReady();
      app.exit(await moveToApplications(place, { electron, log, hidden: start.hidden, execPath }));
      return;
    }
    const paths = ownFolder({ app, env, platform });
    const only = beOnlyApp({ app, start });
    if (!only) {
      app.exit(exitCodes.good);
      return;
    }
    prepareScheme(electron);
    hardenApp({ app, log });
    if (platform === 'win32') {
      identifyOnWindows(app);
    }
    await app.whenReady();
    setAppMenu(electron, platform);
    onSystemEnd({ electron, signals: process, end: () => ending.now() });

    const addon = loadAddon(files.addon);
    const clock = createSystemClock(addon);
    const hidden = start.hidden || (platform === 'darwin' && openedAtLogin(app));
    let hasTray = false;
    const looking = findTray({ platform, env, patient: hidden, wait: delay });
    const file = await openDesktopFile({ file: paths.desktopMemory, log });
    running.add({ dispose: () => file.settled() });
    const pause = running.add(createPause({ clock, file }));
    const doNotDisturb = createDoNotDisturb({ platform, env });
    const quiet = running.add(createQuiet({ electron, pause, doNotDisturb }));
    const { loginItem, repair } = startAtLogin({ app, platform, env, paths, commands, addon, clock, log });
    const updates: Updates = running.add(
      createUpdates({
        ...{ electron, platform, env, clock, log },
        arch: process.arch,
        dist: places.dist,
        resources: places.resources,
        folder: join(paths.desktop, 'updates'),
        random: Math.random,
        isWanted: () => known?.state().appearance['']?.updates.check === true,
        busy: () => waits()[0] ?? null,
        handOver: (last) => ending.handOver(last),
      }),
    );
    const windowHost = running.add(createDialogs({ electron, platform, files, clock, log }));
    const browser = createAppBrowser({ shell: electron.shell, platform, env, clock });
    const options = {
      env,
      log,
      files,
      commands,
      browser,
      passphraseFile: undefined,
      windowHost,
      userCheck: createUserCheck({ electron, platform, env }),
      desktop: createDesktop({
        loginItem,
        pause,
        quiet,
        updates,
        hasTray: () => hasTray,
        chooseFiles: createFileChooser({ electron, clock }),
      }),
      events: running.add(createPowerEvents({ powerMonitor: electron.powerMonitor, clock, platform })),
    };
    const broker = await startOrTakeOver({
      dialog: electron.dialog,
      hidden,
      start: () => startBroker(options),
      findOther: () => otherBrokerOf({ socket: paths.socket, platform, addon, wait: delay }),
    });
    if (!broker) {
      ending.now(exitCodes.usage);
      return;
    }
    running.add(broker);
    log.keepSmall(paths.log, paths.earlierLog);
    const page: LocalPage = running.add(createLocalPage(broker.ui));
    await page.ready;
    known = page;
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
        onClose: createClosing({
          electron,
          platform,
          hasTray: () => hasTray,
          file,
          quit: () => ending.ask(),
        }),
      }),
    );
    const own = ownWords({ app, env, execPath });
    const act = createActing({ electron, clock, page, window, pause, quit: () => ending.ask(), log });
    running.add(
      createNotifier({ electron, clock, log, page, quiet, file, act, inFrontAt: () => window.inFrontAt() }),
    );
    running.add(createLife({ electron, platform, clock, page, act, only, own }));
    void broker.left.then(() => endUninstalled({ app, platform, ending, own }));
    if (start.lock) {
      act({ kind: 'lock' });
    }
    // Not awaited: at login the search for the tray takes a while, and the user may be needed meanwhile.
    hasTray = await looking;
    if (ending.hasBegun()) {
      return;
    }
    if (hasTray) {
      running.add(createTray({ electron, platform, clock, page, act, icons: files.icons }));
    }
    if (!(hidden || start.lock) || !hasTray) {
      window.show(start.route);
    }
    await repair();
    log.info('app.ready', { vault: broker.vault, pid: process.pid });
  } catch (error) {
    await app.whenReady();
    ending.now(await sayStartFailed(error, { dialog: electron.dialog, log }));
  }
}
