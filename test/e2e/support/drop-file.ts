import type { Page } from 'playwright';

/** Drops a file on the page, as a drag out of a file manager: the events are Chromium’s own. */
export async function dropFile(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  const taken = await page.evaluateHandle(() => {
    const seen = { overs: 0 };
    addEventListener('dragover', ({ defaultPrevented }) => {
      seen.overs += Number(defaultPrevented);
    });
    return seen;
  });
  await send('dragEnter');
  // Chromium drops nothing where it has not heard yet that the page takes it. The answer to one comes some events later.
  while ((await taken.evaluate(({ overs }) => overs)) < 10) {
    await send('dragOver');
  }
  await send('drop');
}
