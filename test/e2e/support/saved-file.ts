import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import type { TestAgent } from '../../support/agent.ts';
import { asApp, type SavedFile } from './windowed-agent.ts';

/** What the page saves while `begin` goes on. */
export async function savedFile(agent: TestAgent, page: Page, begin: () => unknown): Promise<SavedFile> {
  const app = asApp(agent);
  if (app?.saved) {
    return app.saved(begin);
  }
  const [file] = await Promise.all([page.waitForEvent('download'), begin()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}
