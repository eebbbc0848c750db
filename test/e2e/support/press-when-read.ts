import type { Page } from 'playwright';

/** A Yes in a window of the broker's own: it takes none before one can have read it, and shows so as long as that lasts. */
export async function pressWhenRead(window: Page, name: string): Promise<void> {
  const button = window.getByRole('button', { name, exact: true });
  await button.waitFor();
  await window.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  await button.click();
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
