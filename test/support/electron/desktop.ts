import { setTimeout as delay } from 'node:timers/promises';
import type { MenuItemConstructorOptions } from 'electron';
import { readingMilliseconds } from '../../../main/consent/windows/window-flow.ts';
import { until } from '../stage.ts';
import type { AppProgram } from './program.ts';

/** What the tray shows at a moment. */
export interface ShownTray {
  /** The picture's file, without its folder. */
  picture: string;
  toolTip: string;
  /** Labels, `*` before a chosen one; those of a submenu after `Switch context > `. */
  menu: string[];
}

export interface ShownNotification {
  title: string;
  body: string;
  isShown: boolean;
}

/** A dialog of the main process, as its page was fetched. */
export interface ShownDialog {
  html: string;
  /** The page as a person reads it. */
  text: string;
  /** Presses a button, when it was there for long enough to be read; gives the page that follows as text. */
  press(answer: string, fields?: Readonly<Record<string, string>>): Promise<string>;
}

/**
 * A person at the desktop of an app that runs on the stand-in: sees what was handed to Electron, clicks, and reads dialogs,
 * whose pages are fetched and whose forms are sent as Chromium would through the session's protocol handler.
 */
export interface Desktop {
  tray(): Promise<ShownTray>;
  /** Clicks a line of the menu as it lies there now. Throws where there is none, with all that there is. */
  choose(...path: string[]): Promise<void>;
  notifications(): Promise<ShownNotification[]>;
  /** Waits for one that is shown: of this title, or with this in its title and body. */
  notification(title: string | RegExp): Promise<ShownNotification>;
  clickNotification(title: string): Promise<void>;
  /** Waits for a dialog that nobody has read yet. */
  dialog(): Promise<ShownDialog>;
  /** How many dialogs are on the screen. */
  dialogs(): Promise<number>;
  /** Waits for the app's own window, and draws it: what is shown from then on is up to the app. */
  drawn(): Promise<void>;
  /** Where the app's own window is, when it is shown; null: it isn't. */
  route(): Promise<string | null>;
}

const dialogAddress = 'lanyard-dialog://dialog/';

export function atDesktop(app: Pick<AppProgram, 'evaluate'>): Desktop {
  const notifications = () =>
    app.evaluate((standIn) =>
      standIn.notifications.map(({ options: { title = '', body = '' }, isShown }) => ({
        title,
        body,
        isShown,
      })),
    );

  /** Sends a request to the dialogs' own scheme. */
  const request = (url: string, form: string | null) =>
    app.evaluate(
      async (standIn, given) => {
        const session = standIn.sessions.get('lanyard-dialogs');
        if (!session) {
          throw new Error('no session of dialogs');
        }
        const answer = await session.request(
          given.url,
          given.form === null
            ? undefined
            : {
                method: 'POST',
                headers: {
                  'content-type': 'application/x-www-form-urlencoded',
                  origin: 'lanyard-dialog://dialog',
                },
                body: given.form,
              },
        );
        return answer.text();
      },
      { url, form },
    );

  const openDialogs = () =>
    app.evaluate(
      (standIn, address) =>
        standIn.windows
          .filter((each) => each.isVisible() && each.loaded[0]?.startsWith(address))
          .map(({ loaded }) => loaded[0] ?? ''),
      dialogAddress,
    );
  const read = new Set<string>();

  return {
    tray: () =>
      app.evaluate((standIn) => {
        const [tray] = standIn.trays;
        if (!tray) {
          throw new Error('no tray');
        }
        const labels = (items: readonly MenuItemConstructorOptions[], before: string): string[] =>
          items.flatMap(({ label = '', type, checked, submenu }) =>
            type === 'separator'
              ? []
              : Array.isArray(submenu)
                ? labels(submenu, `${before}${label} > `)
                : [`${checked ? '*' : ''}${before}${label}`],
          );
        const { path } = tray.image as unknown as { path: string };
        return {
          picture: path.split('/').at(-1) ?? '',
          toolTip: tray.toolTip,
          menu: labels((tray.menu?.template ?? []) as MenuItemConstructorOptions[], ''),
        };
      }),
    choose: (...path) =>
      app.evaluate((standIn, labels) => {
        let items = (standIn.trays[0]?.menu?.template ?? []) as MenuItemConstructorOptions[];
        for (const [depth, label] of labels.entries()) {
          const item = items.find((each) => each.label === label);
          if (!item) {
            throw new Error(`no "${label}" among: ${items.map((each) => each.label).join(', ')}`);
          }
          if (depth === labels.length - 1) {
            (item.click as () => void)();
          } else {
            items = item.submenu as MenuItemConstructorOptions[];
          }
        }
      }, path),
    notifications,
    notification: (title) =>
      until(
        async () =>
          (await notifications()).findLast(
            (each) =>
              each.isShown &&
              (typeof title === 'string' ? each.title === title : title.test(`${each.title}: ${each.body}`)),
          ),
        `a notification: ${title}`,
      ),
    clickNotification: (title) =>
      app.evaluate((standIn, wanted) => {
        const found = standIn.notifications.findLast(({ options }) => options.title === wanted);
        if (!found) {
          throw new Error(`no notification: ${wanted}`);
        }
        found.happen('click');
      }, title),
    async dialog() {
      const address = await until(
        async () => (await openDialogs()).find((each) => !read.has(each)),
        'a dialog',
      );
      read.add(address);
      let html = await request(address, null);
      const seenAt = performance.now();
      return {
        html,
        text: textOf(html),
        async press(answer, fields = {}) {
          // The broker takes no Yes sooner.
          await delay(Math.max(0, readingMilliseconds + 50 - (performance.now() - seenAt)));
          const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? [];
          html = await request(address, new URLSearchParams({ ...fields, token, answer }).toString());
          return textOf(html);
        },
      };
    },
    dialogs: async () => (await openDialogs()).length,
    drawn: () =>
      until(
        () =>
          app.evaluate((standIn) => {
            const window = standIn.windows.findLast((each) => each.loaded[0]?.startsWith('app:'));
            return window && !window.isDestroyed() ? Boolean(window.happen('ready-to-show')) : null;
          }),
        'the window',
      ).then(() => undefined),
    route: () =>
      app.evaluate((standIn) => {
        const shown = standIn.windows.find((each) => each.isVisible() && each.loaded[0]?.startsWith('app:'));
        return shown ? new URL(shown.contents.getURL()).hash : null;
      }),
  };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': '’' };

function textOf(html: string): string {
  return html
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#39|[a-z]+);/g, (all, name: string) => entities[name] ?? all)
    .replace(/\s+/g, ' ')
    .trim();
}
