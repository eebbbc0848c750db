import type { Browser, Page, Route } from 'playwright';
import { dialogOrigin } from '../../../app/scheme/dialog-scheme.ts';
import type { AppProgram } from '../../support/electron/program.ts';
import { until } from '../../support/stage.ts';
import { type Problems, recordProblems } from './page-problems.ts';

/** Chromium from outside knows no `lanyard-dialog:` scheme: dialogs are served under this host, without a network. */
const host = 'https://dialog.lanyard.test';

/**
 * The app's open dialog in real Chromium, as large as its window's content: its page, its headers and its answers are the
 * app's own handler's.
 *
 * What it can't show without Electron: the scheme, that the window runs no script (here its policy alone refuses them), what Chromium says as a form's Origin there, and how the system orders
 * windows.
 */
export interface DialogPage {
  page: Page;
  problems: Problems;
  close(): Promise<void>;
}

/** Shows the dialog that the app opened last and that nobody has seen yet. */
export async function openDialogPage(app: AppProgram, browser: Browser): Promise<DialogPage> {
  const { address, width, height } = await until(() => app.evaluate(openDialog), 'a dialog');
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: 'reduce',
    permissions: [],
  });
  const problems = await recordProblems(context);
  await context.route('**/*', (route) => serve(app, route));
  const page = await context.newPage();
  await page.goto(address.replace(dialogOrigin, host));
  return { page, problems, close: () => context.close() };
}

/** In the app's process. */
function openDialog(standIn: Parameters<Parameters<AppProgram['evaluate']>[0]>[0]) {
  const window = standIn.windows.findLast(
    (each) => each.options.webPreferences?.partition === 'lanyard-dialogs' && each.isVisible(),
  );
  const { width = 0, height = 0 } = window?.options ?? {};
  return window ? { address: window.loaded[0] ?? '', width, height } : null;
}

async function serve(app: AppProgram, route: Route): Promise<void> {
  const request = route.request();
  if (!request.url().startsWith(`${host}/`)) {
    await route.abort();
    return;
  }
  const headers = await request.allHeaders();
  const type = headers['content-type'];
  const { body, ...answer } = await app.evaluate(
    async (standIn, asked) => {
      const partition = standIn.sessions.get('lanyard-dialogs');
      if (!partition) {
        throw new Error('the app shows no dialogs');
      }
      const { url, method, text, given } = asked;
      const response = await partition.request(url, {
        method,
        headers: given,
        ...(text !== null && { body: text }),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
    },
    {
      url: request.url().replace(host, dialogOrigin),
      method: request.method(),
      text: request.postData(),
      given: {
        ...(type !== undefined && { 'content-type': type }),
        ...(headers['origin'] !== undefined && { origin: headers['origin'].replace(host, dialogOrigin) }),
      },
    },
  );
  await route.fulfill({ ...answer, body });
}
