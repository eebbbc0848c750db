import type { Browser } from 'playwright';
import type { TestAgent } from '../../support/agent.ts';
import { pressWhenRead, untilAnswered } from './press-when-read.ts';
import { asApp } from './windowed-agent.ts';

/** Puts a file back as it was before an import: it has its secrets in plain text again, which the app wants a Yes for. */
export async function restoreFile(agent: TestAgent, browser: Browser, begin: () => unknown): Promise<void> {
  const app = asApp(agent);
  if (!app) {
    await begin();
    return;
  }
  const dialog = await app.dialog(browser, begin);
  await pressWhenRead(dialog, 'Restore');
  await untilAnswered(dialog, 'Restored');
}
