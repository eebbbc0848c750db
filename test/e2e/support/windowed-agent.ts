import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestAgent } from '../../support/agent.ts';
import type { Problems } from './page-problems.ts';

/** How a page is looked at: what a person sets for all pages, and the window's size. */
export type Look = Pick<BrowserContextOptions, 'colorScheme' | 'forcedColors' | 'reducedMotion' | 'viewport'>;

/** The app's window with a fresh document in it. */
export interface AppPage {
  page: Page;
  problems: Problems;
  /** All that the page and the app said to each other so far; nothing where only those two hear it. */
  traffic(): string;
  /** The window is another test's from now on. */
  close(): Promise<void>;
}

/** The desktop app, as the broker of a test. */
export interface WindowedAgent extends TestAgent {
  /** Its window, shown; null where a test has it: the app has one. `browser` draws it where Electron doesn't. */
  takeWindow(browser: Browser, look: Look): Promise<AppPage | null>;
  /** The dialog that is open, or opens next: a window of the broker's own. */
  dialog(browser: Browser): Promise<Page>;
}

/** The app, where the specs run on it; null: a broker without windows. */
export function asApp(agent: TestAgent | null): WindowedAgent | null {
  return agent && 'takeWindow' in agent ? (agent as WindowedAgent) : null;
}
