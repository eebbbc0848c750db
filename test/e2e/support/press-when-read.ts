import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright';
import { dialogOrigin } from '../../../app/scheme/dialog-scheme.ts';
import { readingMilliseconds } from '../../../main/consent/windows/window-flow.ts';

/** A Yes in a window of the broker's own. */
export async function pressWhenRead(window: Page, name: string): Promise<void> {
  const button = window.getByRole('button', { name, exact: true });
  await button.waitFor();
  await untilRead(window);
  await button.click();
}

/** The window takes no Yes before one can have read it, and shows so as long as that lasts. */
export async function untilRead(window: Page): Promise<void> {
  await window.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  if (window.url().startsWith(dialogOrigin)) {
    // Electron draws a dialog before it shows it, and the time to read it begins when it is shown.
    await delay(readingMilliseconds);
  }
}

/** Waits until the window says how it ended, in a heading. The app may close a dialog that was answered before it does. */
export async function untilAnswered(window: Page, heading: string | RegExp): Promise<void> {
  try {
    await window.getByRole('heading', { name: heading }).waitFor();
  } catch (error) {
    if (!window.isClosed()) {
      throw error;
    }
  }
}
