import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { channels } from '../../../app/ipc/channels.ts';
import { pagesOrigin } from '../../../app/scheme/index.ts';
import type { AppProgram } from '../../support/electron/program.ts';
import { type Problems, recordProblems } from './page-problems.ts';

/** Chromium from outside knows no `app:` scheme: the window's pages are served under this host, without a network. */
const host = 'https://app.lanyard.test';
const preload = join(import.meta.dirname, '..', '..', '..', 'dist', 'app', 'preload.cjs');

/**
 * The app's window in real Chromium: its pages come from the app's own handler with its own headers, the built preload
 * runs beside them, and behind its `ipcRenderer` is the stand-in's `ipcMain` in the app's process.
 *
 * What it can't show without Electron: the scheme itself, the sandbox, and that the preload's world is another than the
 * page's. Here it runs in the page's own, before any script of it, with its names in a function.
 */
export interface DesktopWindow {
  page: Page;
  problems: Problems;
  /** Another view, as the app shows it. */
  go(route: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens what the app's last window was told to load. Its page is given no permission. */
export async function openDesktopWindow(app: AppProgram, browser: Browser): Promise<DesktopWindow> {
  const context = await browser.newContext({
    viewport: { width: 1120, height: 760 },
    reducedMotion: 'reduce',
    permissions: [],
  });
  const problems = await recordProblems(context);
  await context.route('**/*', (route) => serve(app, route));
  let saying: Promise<unknown> = Promise.resolve();
  await context.exposeFunction('standInSend', (channel: string, args: unknown[]) => {
    // In the page's order: each goes by a connection of its own.
    saying = saying.then(() => say(app, channel, args));
  });
  await context.addInitScript(runPreload, readFileSync(preload, 'utf8'));
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  // Until the app ends. What comes while the document changes is lost, as it is in a window.
  void hear(app, (sent) =>
    page
      .evaluate(({ channel, args }) => {
        const { standInDeliver } = window as unknown as { standInDeliver: Deliver };
        standInDeliver(channel, args);
      }, sent)
      .catch(() => undefined),
  ).catch(() => undefined);
  const address = await app.evaluate((standIn) => standIn.windows.at(-1)?.loaded[0] ?? '');
  await page.goto(address.replace(pagesOrigin, host));
  await app.evaluate((standIn) => void standIn.windows.at(-1)?.events.emit('ready-to-show'));
  return {
    page,
    problems,
    go: (route) =>
      app.evaluate((standIn, { channel, to }) => standIn.windows.at(-1)?.contents.send(channel, to), {
        channel: channels.route,
        to: route,
      }),
    close: () => context.close(),
  };
}

type Deliver = (channel: string, args: unknown[]) => void;

/** In the page, before all of its scripts. */
function runPreload(source: string): void {
  const listeners = new Map<string, (event: object, ...args: unknown[]) => void>();
  const page = window as unknown as { standInSend: Deliver; standInDeliver: Deliver };
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: object) =>
        Object.defineProperty(window, name, { value: Object.freeze({ ...api }), enumerable: true }),
    },
    ipcRenderer: {
      on: (channel: string, listener: (event: object, ...args: unknown[]) => void) =>
        listeners.set(channel, listener),
      send: (channel: string, ...args: unknown[]) => page.standInSend(channel, args),
    },
  };
  page.standInDeliver = (channel, args) => listeners.get(channel)?.({}, ...args);
  const require = (name: string) => {
    if (name !== 'electron') {
      throw new Error(`a sandboxed preload has no ${name}`);
    }
    return electron;
  };
  new Function('require', 'module', 'exports', source)(require, { exports: {} }, {});
}

async function serve(app: AppProgram, route: Route): Promise<void> {
  const request = route.request();
  if (!request.url().startsWith(`${host}/`)) {
    await route.abort();
    return;
  }
  const { body, ...answer } = await app.evaluate(
    async (standIn, { url, method, isDocument }) => {
      if (isDocument) {
        standIn.windows.at(-1)?.contents.navigate(url);
      }
      const session = standIn.sessions.get('lanyard-pages');
      if (!session) {
        throw new Error('no window has been made');
      }
      const response = await session.request(url, { method });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()).toString('base64'),
      };
    },
    {
      url: request.url().replace(host, pagesOrigin),
      method: request.method(),
      isDocument: request.isNavigationRequest(),
    },
  );
  await route.fulfill({ ...answer, body: Buffer.from(body, 'base64') });
}

function say(app: AppProgram, channel: string, args: unknown[]): Promise<unknown> {
  return app.evaluate(
    (standIn, message) => {
      const contents = standIn.windows.at(-1)?.contents;
      const event = { sender: contents, senderFrame: contents?.mainFrame };
      standIn.ipc.events.emit(message.channel, event, ...message.args);
    },
    { channel, args },
  );
}

interface Sent {
  channel: string;
  args: unknown[];
}

/** What is sent to the window's page, in its order, as soon as it is. */
async function hear(app: AppProgram, deliver: (sent: Sent) => Promise<void>): Promise<never> {
  for (let from = await app.evaluate((standIn) => standIn.windows.at(-1)?.contents.sent.length ?? 0); ; ) {
    const all = await app.evaluate(
      (standIn, { after, names }) =>
        new Promise<Sent[]>((resolve, reject) => {
          const contents = standIn.windows.at(-1)?.contents;
          if (!contents) {
            reject(new Error('no window has been made'));
          } else if (contents.sent.length > after) {
            resolve(contents.sent.slice(after));
          } else {
            for (const name of names) {
              contents.events.once(`sent ${name}`, () => resolve(contents.sent.slice(after)));
            }
          }
        }),
      { after: from, names: [channels.toPage, channels.route] },
    );
    from += all.length;
    for (const sent of all) {
      await deliver(sent);
    }
  }
}
