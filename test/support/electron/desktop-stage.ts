import { ownBusName } from '../bus-name.ts';
import type { Ended } from '../processes.ts';
import { startSessionBus } from '../session-bus.ts';
import { mustBeGood, Stage, type StageOptions, until } from '../stage.ts';
import { createStandInBrowser } from '../stand-in-browser.ts';
import { type AppAgent, startAppAgent } from './app-agent.ts';
import { atDesktop, type Desktop } from './desktop.ts';
import type { AppProgram } from './program.ts';

/** What shows the icons of a Linux desktop's tray, by its name on the bus. */
const trayWatcher = 'org.kde.StatusNotifierWatcher';

/** A stage whose broker is the desktop app, on a desktop with a tray and a browser. */
export interface DesktopStage {
  readonly stage: Stage;
  /** The app that runs now, and the person before it. */
  app(): AppProgram;
  desktop(): Desktop;
  /** Waits for the next address that the browser is told to open while `begin` goes on. */
  opens(begin: () => unknown): Promise<string>;
  /** A whole login of `corp` by `lanyard login`, in the browser. */
  logIn(login?: string): Promise<void>;
  dispose(): Promise<void>;
}

/** All parts but Electron are real: provider, API server, helper, kubectl, a bus with a tray on it. */
export async function openDesktopStage(options: StageOptions = {}): Promise<DesktopStage> {
  await using stack = new AsyncDisposableStack();
  const bus = stack.adopt(await startSessionBus(), (each) => each.dispose());
  stack.adopt(await ownBusName(bus.env.DBUS_SESSION_BUS_ADDRESS, trayWatcher), (each) => each.dispose());
  const browser = stack.adopt(createStandInBrowser(), (each) => each.dispose());
  let agent: AppAgent | null = null;
  let desktop: Desktop | null = null;
  const stage = stack.adopt(
    await Stage.open({
      ...options,
      agent: { ...options.agent, env: { ...bus.env, ...browser.env, ...options.agent?.env } },
      async startAgent(given) {
        agent = await startAppAgent(given);
        desktop = atDesktop(agent.app);
        return agent;
      },
    }),
    (each) => each.dispose(),
  );
  const kept = stack.move();
  const there = <T>(part: T | null): T => {
    if (part === null) {
      throw new Error('no app runs on this stage');
    }
    return part;
  };
  const opens: DesktopStage['opens'] = async (begin) => {
    const before = browser.opened().length;
    await begin();
    return until(() => browser.opened()[before], 'an address in the browser');
  };
  return {
    stage,
    opens,
    async logIn(login = 'alice') {
      let ended: Promise<Ended> | null = null;
      const address = await opens(() => {
        ended = stage.lanyard(['login', 'corp']);
      });
      await stage.provider.person.logInAt(address, { login });
      mustBeGood(await there<Promise<Ended>>(ended));
    },
    app: () => there<AppAgent>(agent).app,
    desktop: () => there<Desktop>(desktop),
    dispose: () => kept.disposeAsync(),
  };
}
