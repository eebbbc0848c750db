import type { Browser } from 'playwright';
import { launchChromium } from '../../support/chromium.ts';

/** As vitest calls its fixtures of scope `worker`. It gives this to nobody else by name. */
interface VitestWorker {
  onCleanup(end: () => Promise<void>): void;
}

let chromium: Promise<Browser> | null = null;

/** The Chromium of all files that one process takes: no file closes it. A file's contexts end with it (end-contexts.ts). */
export async function sharedChromium(): Promise<Browser> {
  if (!(await chromium)?.isConnected()) {
    chromium = launchForWorker();
  }
  return chromium as Promise<Browser>;
}

/** Closes what a file left open. */
export async function endContexts(): Promise<void> {
  const contexts = (await chromium)?.contexts() ?? [];
  await Promise.all(contexts.map((context) => context.close()));
}

async function launchForWorker(): Promise<Browser> {
  const browser = await launchChromium();
  const worker = (globalThis as unknown as { __vitest_worker__?: VitestWorker }).__vitest_worker__;
  worker?.onCleanup(() => browser.close());
  return browser;
}
