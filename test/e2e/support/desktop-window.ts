import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Request, Route } from 'playwright';
import { dialogPartition } from '../../../app/dialogs/dialog-options.ts';
import { channels } from '../../../app/ipc/channels.ts';
import { dialogOrigin } from '../../../app/scheme/dialog-scheme.ts';
import { pagesOrigin } from '../../../app/scheme/index.ts';
import { pagesPartition } from '../../../app/windows/serve-pages.ts';
import type { AppProgram } from '../../support/electron/program.ts';
import { until } from '../../support/stage.ts';
import { type Problems, recordProblems } from './page-problems.ts';
import type { Traffic } from './traffic.ts';
import type { AppPage, Look } from './windowed-agent.ts';

/** Chromium from outside knows no scheme of the app's: its pages are served under these hosts, without a network. */
const pages = { origin: pagesOrigin, host: 'https://app.lanyard.test', partition: pagesPartition };
const dialogs = { origin: dialogOrigin, host: 'https://dialog.lanyard.test', partition: dialogPartition };
type Place = typeof pages;

const preload = join(import.meta.dirname, '..', '..', '..', 'dist', 'app', 'preload.cjs');

/**
 * The app's window in real Chromium: its pages come from the app's own handler with its own headers, the built preload
 * runs beside them, and behind its `ipcRenderer` is the stand-in's `ipcMain` in the app's process.
 *
 * What it can't show without Electron: the scheme itself, the sandbox, and that the preload's world is another than the
 * page's. Here it runs in the page's own, before any script of it, with its names in a function.
 */
export interface DesktopWindow extends AppPage {
  /** Another view, as the app shows it. */
  go(route: string): Promise<void>;
}

/** Opens what the app's window was told to load. Its page is given no permission. */
export async function openDesktopWindow(
  app: AppProgram,
  browser: Browser,
  look: Look = {},
): Promise<DesktopWindow> {
  const context = await browser.newContext({
    viewport: { width: 1120, height: 760 },
    reducedMotion: 'reduce',
    ...look,
    permissions: [],
  });
  const problems: Problems = await recordProblems(context);
  const traffic: Traffic = { sent: [], heard: [] };
  let saying: Promise<unknown> = Promise.resolve();
  await context.exposeFunction('standInSend', (channel: string, args: unknown[]) => {
    traffic.sent.push(args.join(' '));
    // In the page's order: each goes by a connection of its own.
    saying = saying.then(() => say(app, channel, args)).catch(() => undefined);
  });
  await context.addInitScript(runPreload, readFileSync(preload, 'utf8'));
  const page = await context.newPage();
  await context.route('**/*', async (route) => {
    if (isOfNewWindow(route.request(), page)) {
      await askForWindow(app, route.request().url());
      await route.abort();
    } else {
      await serve(app, route, pages);
    }
  });
  // Electron answers `window.open` before there is a window.
  page.on('popup', (opened) => void opened.close().catch(() => undefined));
  // Until the app or the page ends. What comes while the document changes is lost, as it is in a window.
  void hear(app, page, (sent) => {
    traffic.heard.push(sent.args.join(' '));
    return page
      .evaluate(({ channel, args }) => {
        const { standInDeliver } = window as unknown as { standInDeliver: Deliver };
        standInDeliver(channel, args);
      }, sent)
      .catch(() => undefined);
  }).catch(() => undefined);
  const address = await until(
    () => app.evaluate((standIn, partition) => standIn.windowOf(partition).loaded[0] ?? null, pagesPartition),
    'the window’s address',
  );
  await page.goto(address.replace(pages.origin, pages.host));
  await app.evaluate(
    (standIn, partition) => void standIn.windowOf(partition).events.emit('ready-to-show'),
    pagesPartition,
  );
  return {
    page,
    problems,
    traffic,
    go: (route) =>
      app.evaluate(
        (standIn, { partition, channel, to }) => standIn.windowOf(partition).contents.send(channel, to),
        { partition: pagesPartition, channel: channels.route, to: route },
      ),
    async close() {
      await context.close();
      // The window stays as another document's, which is what ends this one's session; an app that has ended has none.
      await saying;
      await say(app, channels.begin, []).catch(() => undefined);
    },
  };
}

/** The dialog that the app opens while `begin` goes on, in Chromium: its page has no script, and its form goes to the app's handler. */
export async function openDesktopDialog(
  app: AppProgram,
  browser: Browser,
  begin: () => unknown,
): Promise<Page> {
  const known = await app.evaluate((standIn) => standIn.windows.length);
  await begin();
  const address = await until(
    () =>
      app.evaluate(
        (standIn, { partition, from }) =>
          standIn.windows.slice(from).find((each) => each.options.webPreferences?.partition === partition)
            ?.loaded[0] ?? null,
        { partition: dialogPartition, from: known },
      ),
    'a dialog',
  );
  const context = await browser.newContext();
  await context.route('**/*', (route) => serve(app, route, dialogs));
  const page = await context.newPage();
  await page.goto(address.replace(dialogs.origin, dialogs.host));
  return page;
}

type Deliver = (channel: string, args: unknown[]) => void;

/** In the page, before all of its scripts. */
function runPreload(source: string): void {
  const listeners = new Map<string, (event: object, ...args: unknown[]) => void>();
  const page = window as unknown as { standInSend: Deliver; standInDeliver: Deliver; standInFolder?: string };
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
    // Chromium tells no path: all that is dropped lies in one folder.
    webUtils: { getPathForFile: ({ name }: File) => `${page.standInFolder}/${name}` },
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

function isOfNewWindow(request: Request, page: Page): boolean {
  try {
    return request.isNavigationRequest() && request.frame().page() !== page;
  } catch {
    // Of a page that is only about to be.
    return true;
  }
}

/** As the page's `window.open`, and a link's own window: the app is asked. */
async function askForWindow(app: AppProgram, url: string): Promise<void> {
  await app.evaluate(
    (standIn, { partition, url }) => void standIn.windowOf(partition).contents.openWindow(url),
    { partition: pagesPartition, url },
  );
}

async function serve(app: AppProgram, route: Route, place: Place): Promise<void> {
  const request = route.request();
  if (!request.url().startsWith(`${place.host}/`)) {
    await route.abort();
    return;
  }
  const { origin, 'content-type': type } = request.headers();
  const { body, ...answer } = await app.evaluate(
    async (standIn, { url, method, headers, sent, partition, isDocument }) => {
      if (isDocument) {
        standIn.windowOf(partition).contents.navigate(url);
      }
      const session = standIn.sessions.get(partition);
      if (!session) {
        throw new Error('no window has been made');
      }
      const response = await session.request(url, { method, headers, ...(sent !== null && { body: sent }) });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()).toString('base64'),
      };
    },
    {
      url: request.url().replace(place.host, place.origin),
      method: request.method(),
      headers: {
        ...(origin !== undefined && { origin: origin.replace(place.host, place.origin) }),
        ...(type !== undefined && { 'content-type': type }),
      },
      sent: request.postData(),
      partition: place.partition,
      isDocument: request.isNavigationRequest(),
    },
  );
  await route.fulfill({ ...answer, body: Buffer.from(body, 'base64') });
}

function say(app: AppProgram, channel: string, args: unknown[]): Promise<unknown> {
  return app.evaluate(
    (standIn, message) => {
      const { contents } = standIn.windowOf(message.partition);
      const event = { sender: contents, senderFrame: contents.mainFrame };
      standIn.ipc.events.emit(message.channel, event, ...message.args);
    },
    { partition: pagesPartition, channel, args },
  );
}

interface Sent {
  channel: string;
  args: unknown[];
}

/** What is sent to the window's page, in its order, as soon as it is. */
async function hear(app: AppProgram, page: Page, deliver: (sent: Sent) => Promise<void>): Promise<void> {
  const countSent = () =>
    app.evaluate((standIn, partition) => standIn.windowOf(partition).contents.sent.length, pagesPartition);
  for (let from = await countSent(); !page.isClosed(); ) {
    const all = await app.evaluate(
      (standIn, { partition, after }) =>
        new Promise<Sent[]>((resolve) => {
          const { contents } = standIn.windowOf(partition);
          const look = () => {
            if (contents.sent.length > after) {
              contents.events.off('sent', look);
              resolve(contents.sent.slice(after));
            }
          };
          contents.events.on('sent', look);
          look();
        }),
      { partition: pagesPartition, after: from },
    );
    from += all.length;
    for (const sent of all) {
      await deliver(sent);
    }
  }
}
