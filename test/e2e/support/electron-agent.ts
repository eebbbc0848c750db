import { join } from 'node:path';
import { _electron, type Page } from 'playwright';
import { dialogOrigin } from '../../../app/scheme/dialog-scheme.ts';
import { pagesOrigin } from '../../../app/scheme/index.ts';
import { findElectron } from '../../../scripts/find-electron.ts';
import { type AgentOptions, residentBytes, type TestAgent } from '../../support/agent.ts';
import { assertBuilt } from '../../support/built.ts';
import { baseEnvironment, type Ended } from '../../support/processes.ts';
import { until } from '../../support/stage.ts';
import { unlock } from '../../support/unlock.ts';
import { type Problems, recordProblems } from './page-problems.ts';
import type { Look, WindowedAgent } from './windowed-agent.ts';

const repository = join(import.meta.dirname, '..', '..', '..');

/** What a program needs to draw on this machine's display. */
const displayVariables = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR'];

/** The desktop app on a real Electron, as the broker of a test. */
export interface ElectronAgent extends WindowedAgent {
  /** Its window, shown. */
  window(): Promise<Page>;
}

/** Starts the app hidden, by Playwright's driver, and opens its vault as a person would who has a passphrase. */
export async function startElectronAgent({ home, passphrase, env }: AgentOptions): Promise<ElectronAgent> {
  assertBuilt();
  const executablePath = findElectron(repository, process.env);
  if (executablePath === null) {
    throw new Error('Electron’s binary is not here: npm run test:electron says where it is looked for');
  }
  const began = performance.now();
  const shown = displayVariables.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const app = await _electron.launch({
    executablePath,
    // Chromium's sandbox can't be had by root: in containers alone.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), repository, '--hidden'],
    env: { ...baseEnvironment(), ...Object.fromEntries(shown), ...home.env, ...env },
    timeout: 30_000,
  });
  const child = app.process();
  let log = '';
  let isTaken = false;
  let problems: Problems | null = null;
  const looks = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      log += data.toString();
      for (const look of looks) {
        look();
      }
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      const milliseconds = performance.now() - began;
      resolve({ code, signal, stdout: log, stderr: '', milliseconds, timedOut: false });
    });
  });
  const waitForLog: TestAgent['waitForLog'] = (pattern, timeoutMilliseconds = 20_000) =>
    new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        looks.delete(look);
        finish();
      };
      const look = () => {
        const match = pattern.exec(log);
        if (match) {
          settle(() => resolve(match));
        }
      };
      const timer = setTimeout(
        () => settle(() => reject(new Error(`the app never said ${pattern}:\n${log}`))),
        timeoutMilliseconds,
      );
      looks.add(look);
      look();
    });
  const kill = (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal);
    return ended;
  };
  const dispose = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      await kill();
    }
  };
  try {
    await waitForLog(/"app\.ready"/);
    await unlock(home, passphrase);
  } catch (error) {
    await dispose();
    throw error;
  }
  const window = async () => {
    // A second start of the app is a person's way to its window.
    await app.evaluate(({ app: electron }) => electron.emit('second-instance', {}, [], '', null));
    return app.windows().find(isOfPages) ?? (await app.waitForEvent('window', { predicate: isOfPages }));
  };
  return {
    pid: child.pid ?? 0,
    readyMilliseconds: performance.now() - began,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    log: () => log,
    waitForLog,
    kill,
    stop: () => kill('SIGTERM'),
    residentBytes: () => residentBytes(child.pid ?? 0),
    window,
    async takeWindow(_browser, look) {
      if (isTaken) {
        return null;
      }
      isTaken = true;
      const page = await window();
      problems ??= await recordProblems(page.context());
      problems.forget();
      await lookAt(page, look);
      await page.reload();
      return {
        page,
        problems,
        // What crosses there is heard by nobody but the two: test/app holds what is said.
        traffic: { sent: [], heard: [] },
        close: async () => {
          isTaken = false;
        },
      };
    },
    async dialog(_browser, begin) {
      const before = new Set(app.windows());
      await begin();
      const isNew = (page: Page) => !before.has(page) && page.url().startsWith(dialogOrigin);
      return until(() => app.windows().find(isNew), 'a dialog');
    },
    dispose,
  };
}

const isOfPages = (page: Page) => page.url().startsWith(`${pagesOrigin}/`);

async function lookAt(page: Page, { viewport, ...media }: Look): Promise<void> {
  if (viewport) {
    await page.setViewportSize(viewport);
  }
  await page.emulateMedia(media);
}
