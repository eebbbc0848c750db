import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { dialogOrigin } from '../../../app/scheme/dialog-scheme.ts';
import { pagesOrigin } from '../../../app/scheme/index.ts';
import { pagesPartition } from '../../../app/windows/serve-pages.ts';
import { type AgentOptions, residentBytes, type TestAgent } from '../../support/agent.ts';
import { assertBuilt } from '../../support/built.ts';
import { stepMilliseconds, wholeTexts } from '../../support/chromium.ts';
import { electronForTests } from '../../support/electron-for-tests.ts';
import { baseEnvironment, type Ended, run } from '../../support/processes.ts';
import { until } from '../../support/stage.ts';
import { createStandInBrowser } from '../../support/stand-in-browser.ts';
import { unlock } from '../../support/unlock.ts';
import { type Heard, hearCarrier } from './hear-carrier.ts';
import { type Problems, recordProblems } from './page-problems.ts';
import type { Look, WindowedAgent } from './windowed-agent.ts';

/** What a program needs to draw on this machine's display. */
const displayVariables = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR'];

/** The desktop app on a real Electron, as the broker of a test. */
export interface ElectronAgent extends WindowedAgent {
  /** Its window, shown. */
  window(): Promise<Page>;
  /** Runs a function in the main process, with Electron’s module. */
  readonly inApp: ElectronApplication['evaluate'];
  /** Starts the app once more with these words, as a launcher does; resolves with its exit code. */
  startAgain(...words: string[]): Promise<number | null>;
}

/** Starts the app hidden, by Playwright's driver, and opens its vault as a person would who has a passphrase. */
export async function startElectronAgent({ home, passphrase, env }: AgentOptions): Promise<ElectronAgent> {
  assertBuilt();
  const found = electronForTests(process.env);
  if (found === null) {
    throw new Error('Electron’s binary is not here: npm run test:electron says where it is looked for');
  }
  const began = performance.now();
  // Whatever the machine’s own would open stays closed.
  const browser = createStandInBrowser();
  const shown = displayVariables.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // A test’s stand-in for a browser names a display that isn’t there.
  const full = { ...baseEnvironment(), ...browser.env, ...home.env, ...env, ...Object.fromEntries(shown) };
  const app = await _electron.launch({
    executablePath: found.program,
    args: [wholeTexts, found.app, '--hidden'],
    env: full,
    timeout: 120_000,
  });
  app.context().setDefaultTimeout(stepMilliseconds);
  const child = app.process();
  let log = '';
  let isTaken = false;
  let problems: Problems | null = null;
  let carrier: Heard | null = null;
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
  const waitForLog: TestAgent['waitForLog'] = (pattern, timeoutMilliseconds = 120_000) =>
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
    browser.dispose();
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
    inApp: app.evaluate.bind(app),
    startAgain: async (...words) => (await run(found.program, [found.app, ...words], { env: full })).code,
    async takeWindow(_browser, look) {
      if (isTaken) {
        return null;
      }
      isTaken = true;
      const page = await window();
      problems ??= await recordProblems(page.context());
      problems.forget();
      // So says a dialog that is over.
      problems.allow(/410 \(Gone\) lanyard-dialog:/);
      carrier ??= await hearCarrier(app);
      await lookAt(page, look);
      await page.reload();
      return {
        page,
        problems,
        traffic: carrier.traffic(),
        async close() {
          isTaken = false;
          // Its document goes, and what it waited for; an app that has ended has none.
          await page.evaluate(() => location.assign('#/clusters')).catch(() => undefined);
          await page.reload().catch(() => undefined);
        },
      };
    },
    async saved(begin) {
      const path = join(home.env['HOME'] ?? '', 'saved');
      await app.evaluate(
        ({ session }, [partition, to]) =>
          Object.assign(globalThis, {
            saved: new Promise((resolve) => {
              // The app has allowed it before.
              session.fromPartition(partition).once('will-download', (_event, item) => {
                item.setSavePath(to);
                item.once('done', () => resolve(item.getSaveDialogOptions().defaultPath));
              });
            }),
          }),
        [pagesPartition, path] as const,
      );
      await begin();
      const offered = await app.evaluate(() => (globalThis as unknown as { saved: Promise<string> }).saved);
      return { name: basename(offered), text: readFileSync(path, 'utf8') };
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
