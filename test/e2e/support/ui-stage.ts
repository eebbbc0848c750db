import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright';
import { expect } from 'vitest';
import { type AgentOptions, startAgent, type TestAgent } from '../../support/agent.ts';
import { makeHome, type TestHome } from '../../support/home.ts';
import { mustBeGood, Stage, type StageOptions, stagePassphrase } from '../../support/stage.ts';
import { createStandInBrowser } from '../../support/stand-in-browser.ts';
import { showTheme } from './accessibility.ts';
import { appStart } from './app-start.ts';
import { closeWithTest } from './close-with-test.ts';
import { type Problems, recordProblems } from './page-problems.ts';
import { sharedChromium } from './shared-chromium.ts';
import { recordTraffic, type Traffic } from './traffic.ts';
import { asApp, type Look, type WindowedAgent } from './windowed-agent.ts';

export interface PageOptions {
  theme?: 'light' | 'dark';
  /** 1240 × 780 unless told otherwise, as the mock. */
  width?: number;
  height?: number;
  reducedMotion?: boolean;
  /** Of texts alone, as a person sets it for all pages: 2 for 200%. */
  textZoom?: number;
  forcedColors?: boolean;
  /** The fragment to begin with: `#/accounts`. */
  at?: string;
}

/** A page of the real broker's in Chromium. It is closed, and its problems fail the test, when the test ends. */
export interface UiPage {
  page: Page;
  context: BrowserContext;
  problems: Problems;
  traffic: Traffic;
  close(): Promise<void>;
}

/** A broker with its page: what each browser test stands on. */
export interface Ui {
  readonly home: TestHome;
  readonly browser: Browser;
  /** Opens the page by `lanyard ui --no-open`, and waits until something of it is drawn. */
  openPage(options?: PageOptions): Promise<UiPage>;
  /** A page in Chromium at any address: a window of the broker's own, a provider's. */
  openAddress(address: string, options?: PageOptions): Promise<UiPage>;
  /** The address that `lanyard ui --no-open` prints: good once. */
  address(): Promise<string>;
  /** What was opened in the system's browser so far: web addresses, and files as `file:` addresses. */
  opened(): string[];
  /** A window of the broker's own that opens while `begin` goes on: in the system's browser, or a dialog of the app. */
  ownWindow(begin: () => unknown): Promise<Page>;
  /** Waits for what is opened next while `begin` goes on; it can be given to `openAddress`. */
  whatOpens<T>(begin: () => T | Promise<T>): Promise<{ address: string; begun: T }>;
}

/** All of the stage (provider, API server, accounts corp, ops and bot), and the page. */
export interface UiStage extends Ui {
  readonly stage: Stage;
  dispose(): Promise<void>;
}

/** A home and a broker alone, and the page: for what needs no provider and no API server. */
export interface UiHome extends Ui {
  agent(): TestAgent;
  /** Starts the broker, also in place of one that has ended. */
  startAgent(): Promise<TestAgent>;
  dispose(): Promise<void>;
}

export async function openUiStage(options: StageOptions = {}): Promise<UiStage> {
  await using stack = new AsyncDisposableStack();
  const display = stack.adopt(createStandInBrowser(), (each) => each.dispose());
  const browser = await sharedChromium();
  const env = { ...display.env, ...options.agent?.env };
  const stage = stack.adopt(
    await Stage.open({ startAgent: appStart, ...options, agent: { ...options.agent, env } }),
    (each) => each.dispose(),
  );
  const ui = stack.adopt(
    createUi(stage.home, browser, display, () => stage.agent),
    (each) => each.check(),
  );
  const kept = stack.move();
  return Object.assign(ui, { stage, dispose: () => kept.disposeAsync() });
}

export interface UiHomeOptions {
  /** Written before the broker first starts, so that it counts as confirmed; null: no file. */
  config?: object | string | null;
  agent?: Omit<AgentOptions, 'home'>;
  /** No vault is made: no passphrase is given. */
  withoutVault?: boolean;
}

export async function openUiHome(options: UiHomeOptions = {}): Promise<UiHome> {
  const { config = { version: 1 }, withoutVault = false } = options;
  await using stack = new AsyncDisposableStack();
  const display = stack.adopt(createStandInBrowser(), (each) => each.dispose());
  const browser = await sharedChromium();
  const home = stack.adopt(makeHome(), (each) => each.dispose());
  if (config !== null) {
    home.writeConfig(config);
  }
  let agent: TestAgent | null = null;
  stack.defer(() => agent?.dispose());
  const start = async () => {
    await agent?.dispose();
    agent = await (appStart ?? startAgent)({
      home,
      ...(!withoutVault && { passphrase: stagePassphrase }),
      ...options.agent,
      env: { ...display.env, ...options.agent?.env },
    });
    return agent;
  };
  await start();
  const ui = stack.adopt(
    createUi(home, browser, display, () => agent),
    (each) => each.check(),
  );
  const kept = stack.move();
  return Object.assign(ui, {
    startAgent: start,
    agent() {
      if (!agent) {
        throw new Error('no broker runs');
      }
      return agent;
    },
    dispose: () => kept.disposeAsync(),
  });
}

type Display = ReturnType<typeof createStandInBrowser>;

function createUi(
  home: TestHome,
  browser: Browser,
  display: Display,
  agent: () => TestAgent | null,
): Ui & { check(): void } {
  const unchecked = new Set<Problems>();
  const opened = () =>
    display.opened().map((each) => (each.startsWith('/') ? pathToFileURL(each).href : each));

  async function address(): Promise<string> {
    const done = await home.lanyard(['ui', '--no-open']);
    mustBeGood(done);
    return done.stdout.trim();
  }

  async function openAddress(url: string, options: PageOptions = {}): Promise<UiPage> {
    const context = await browser.newContext({
      ...lookOf(options),
      ignoreHTTPSErrors: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const problems = await recordProblems(context);
    unchecked.add(problems);
    const page = await context.newPage();
    const traffic = recordTraffic(page);
    const close = async () => {
      unchecked.delete(problems);
      await context.close();
    };
    closeWithTest(async () => {
      await close();
      expect(problems.found(), 'what the page complained of').toEqual([]);
    });
    await page.goto(url);
    await zoomIfAsked(page, options);
    return { page, context, problems, traffic, close };
  }

  /** Null: a test has it. The second page is one of `lanyard ui` then, of the same broker. */
  async function openAppWindow(app: WindowedAgent, options: PageOptions): Promise<UiPage | null> {
    const taken = await app.takeWindow(browser, lookOf(options));
    if (!taken) {
      return null;
    }
    const { page, problems } = taken;
    unchecked.add(problems);
    const close = async () => {
      unchecked.delete(problems);
      await taken.close();
    };
    closeWithTest(async () => {
      await close();
      expect(problems.found(), 'what the page complained of').toEqual([]);
    });
    await zoomIfAsked(page, options);
    return { page, context: page.context(), problems, traffic: taken.traffic, close };
  }

  async function whatOpens<T>(
    begin: () => T | Promise<T>,
    isWanted: (address: string) => boolean = () => true,
  ): Promise<{ address: string; begun: T }> {
    const before = display.opened().length;
    const begun = await begin();
    const wanted = () => opened().slice(before).find(isWanted);
    await expect.poll(wanted).toBeDefined();
    return { address: wanted() ?? '', begun };
  }

  return {
    home,
    browser,
    address,
    openAddress,
    opened,
    async openPage(options = {}) {
      const app = asApp(agent());
      const own = app && (await openAppWindow(app, options));
      const ui = own ?? (await openAddress(await address(), options));
      await ui.page.locator('#root > *').first().waitFor();
      if (!own) {
        // It is drawn before it is let in: reloaded in between, its ticket is used and its session not kept yet.
        await ui.page.waitForFunction(() => sessionStorage.length > 0);
      }
      if (options.at) {
        await ui.page.evaluate((at) => window.location.assign(at), options.at);
      }
      return ui;
    },
    async ownWindow(begin) {
      const app = asApp(agent());
      if (app) {
        return app.dialog(browser, begin);
      }
      // A login of before may open its provider’s page meanwhile.
      const { address } = await whatOpens(begin, (each) => each.startsWith('file:'));
      return (await openAddress(address)).page;
    },
    whatOpens,
    check() {
      for (const problems of unchecked) {
        expect(problems.found(), 'what a page complained of').toEqual([]);
      }
    },
  };
}

/** Looks at an open page in another way, as if it was opened so. */
export async function setLook(page: Page, options: PageOptions): Promise<void> {
  const { width = 1240, height = 780, theme = 'light', forcedColors = false, textZoom = 1 } = options;
  await page.setViewportSize({ width, height });
  // Whether anything moves stays as the page was opened.
  await page.emulateMedia({ forcedColors: forcedColors ? 'active' : 'none' });
  await zoomText(page, textZoom);
  await showTheme(page, theme);
}

/** A page may go on to another address meanwhile: it is asked only where texts are not as usual. */
async function zoomIfAsked(page: Page, { textZoom = 1 }: PageOptions): Promise<void> {
  if (textZoom !== 1) {
    await zoomText(page, textZoom);
  }
}

async function zoomText(page: Page, zoom: number): Promise<void> {
  await page.evaluate((times) => {
    // Of 16 px, as theme/base.css says it.
    document.documentElement.style.fontSize = times === 1 ? '' : `${81.25 * times}%`;
  }, zoom);
}

const lookOf = (options: PageOptions): Look => ({
  viewport: { width: options.width ?? 1240, height: options.height ?? 780 },
  colorScheme: options.theme ?? 'light',
  reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
  forcedColors: options.forcedColors ? 'active' : 'none',
});
