import type { Page } from 'playwright';

/** A Yes in a window of the broker's own: it takes none before one can have read it, and shows so as long as that lasts. */
export async function pressWhenRead(window: Page, name: string): Promise<void> {
  const button = window.getByRole('button', { name, exact: true });
  await button.waitFor();
  await window.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  await button.click();
}
