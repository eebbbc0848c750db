import type { Browser, BrowserContextOptions, Page } from 'playwright';
import type { TestAgent } from '../../support/agent.ts';
import type { Problems } from './page-problems.ts';
import type { Traffic } from './traffic.ts';

/** How a page is looked at: what a person sets for all pages, and the window's size. */
export type Look = Pick<BrowserContextOptions, 'colorScheme' | 'forcedColors' | 'reducedMotion' | 'viewport'>;

/** The app's window with a fresh document in it. */
export interface AppPage {
  page: Page;
  problems: Problems;
  /** Of its carrier. */
  traffic: Traffic;
  /** The window is another test's from now on. */
  close(): Promise<void>;
}

export interface SavedFile {
  /** As it is offered. */
  name: string;
  text: string;
}

/** The desktop app, as the broker of a test. */
export interface WindowedAgent extends TestAgent {
  /** Its window, shown; null where a test has it: the app has one. `browser` draws it where Electron doesn't. */
  takeWindow(browser: Browser, look: Look): Promise<AppPage | null>;
  /** The dialog that opens while `begin` goes on: a window of the broker's own. One before it may still say how it ended. */
  dialog(browser: Browser, begin: () => unknown): Promise<Page>;
  /** What its page saves while `begin` goes on, where Electron would ask the user for a place. */
  saved?(begin: () => unknown): Promise<SavedFile>;
}

/** The app, where the specs run on it; null: a broker without windows. */
export function asApp(agent: TestAgent | null): WindowedAgent | null {
  return agent && 'takeWindow' in agent ? (agent as WindowedAgent) : null;
}
