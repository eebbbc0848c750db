import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright';
import { expect } from 'vitest';

/**
 * All that the page's JavaScript holds, as the debugger writes it down: names, texts, also of closures and of what React
 * keeps. Chromium has to be of `launchChromium`, which has long texts written whole.
 */
export async function heapSnapshot(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const pieces: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(chunk));
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return pieces.join('');
}

/** None of the secrets is anywhere in the page: not in its memory, its document or its storage. */
export async function expectNotInPage(page: Page, secrets: Iterable<string>): Promise<void> {
  const control = await plantControl(page);
  const heap = await heapSnapshot(page);
  // Else an empty snapshot, or one with its texts cut off, would look like a good one.
  expect(heap.includes(control), 'a text planted at the end of a long one is found').toBe(true);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  const all = `${heap}\n${await page.content()}\n${stored}\n${page.url()}`;
  for (const secret of secrets) {
    for (const piece of piecesOf(secret)) {
      // The secret itself must not be in a test's output.
      expect(all.includes(piece), 'a secret is in the page').toBe(false);
    }
  }
}

/** Of a long one, pieces, too: of a token cut off in the middle more than half may be there. */
function piecesOf(secret: string): string[] {
  const middle = Math.floor(secret.length / 2);
  return secret.length < 64 ? [secret] : [secret.slice(-32), secret.slice(middle - 16, middle + 16)];
}

/** A text that the page makes by itself, so that only its memory has it. */
async function plantControl(page: Page): Promise<string> {
  const backwards = randomBytes(16).toString('hex');
  await page.evaluate((text) => {
    const whole = 'x'.repeat(50_000) + [...text].toReversed().join('');
    // Through JSON it is one text, as what comes from the broker, and not two joined.
    Object.assign(window, { lanyardControl: JSON.parse(JSON.stringify({ whole })) });
  }, backwards);
  return [...backwards].toReversed().join('');
}
