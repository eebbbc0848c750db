import type { IpcMainEvent } from 'electron';
import type { Disposable } from '../../main/base/disposables.ts';
import { type BrokerMessage, pageMessageLimitBytes } from '../../main/contract/ui/messages.ts';
import type { UiDoor } from '../../main/doors/ui/index.ts';
import type { UiSession } from '../../main/doors/ui/session.ts';
import { createPageAllowance } from '../../main/doors/ui/web/page-allowance.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { AppContents, ElectronModule } from '../electron.ts';
import { pagesOrigin } from '../scheme/index.ts';
import { channels } from './channels.ts';

/** A new document gets the complete state, which may be as large: the allowance counts it so. */
const beginningBytes = 1024 * 1024;

export interface PageIpcDeps {
  ipcMain: ElectronModule['ipcMain'];
  contents: AppContents;
  door: Pick<UiDoor, 'connect'>;
  clock: Clock;
  log: Log;
  /** What the broker says to the page. */
  said?(message: BrokerMessage): void;
  /** The page said what makes no sense, or too much: nothing of it is heard any more until another document begins. */
  refused(): void;
}

/**
 * Carries the messages of one window's page: a session of the broker's for each document, from its beginning to its end.
 * Heard is only the window's own main frame, with the app's own document in it.
 */
export function createPageIpc(deps: PageIpcDeps): Disposable {
  const { ipcMain, contents, door, clock, log } = deps;
  // The window's, not the document's: a reload doesn't give a rejected document a new allowance.
  const allowance = createPageAllowance(clock);
  let session: UiSession | null = null;

  function end(): void {
    const ending = session;
    session = null;
    ending?.dispose();
  }

  function refuse(why: 'broken' | 'flood'): void {
    log.warn('page.refused', { why });
    end();
    deps.refused();
  }

  const onBegin = (event: IpcMainEvent) => {
    if (!isOwn(event)) {
      return;
    }
    end();
    if (!allowance.take(beginningBytes)) {
      refuse('flood');
      return;
    }
    session = door.connect({
      send(message) {
        deps.said?.(message);
        contents.send(channels.toPage, JSON.stringify(message));
      },
      refuse: () => refuse('broken'),
    });
  };
  const onMessage = (event: IpcMainEvent, text: unknown) => {
    if (!isOwn(event) || !session) {
      return;
    }
    const size = typeof text === 'string' ? Buffer.byteLength(text) : 0;
    if (!allowance.take(size)) {
      refuse('flood');
    } else if (typeof text !== 'string' || size > pageMessageLimitBytes) {
      refuse('broken');
    } else {
      session.receive(text);
    }
  };

  function isOwn({ sender, senderFrame }: IpcMainEvent): boolean {
    if (sender.id !== contents.id) {
      // Another window's: its own listener hears it.
      return false;
    }
    // A frame that has gone meanwhile is null.
    const own =
      senderFrame !== null &&
      senderFrame === contents.mainFrame &&
      senderFrame.url.startsWith(`${pagesOrigin}/`);
    if (!own) {
      log.warn('page.strangeFrame', { contents: contents.id });
    }
    return own;
  }

  ipcMain.on(channels.begin, onBegin);
  ipcMain.on(channels.toBroker, onMessage);
  // Not at the beginning of a navigation: a refused one begins as well, and the document stays. The next document's own
  // beginning ends the session of the one before; until then, what is sent finds no listener there (app/preload).
  contents.on('render-process-gone', end);
  contents.on('destroyed', end);
  return {
    dispose() {
      ipcMain.removeListener(channels.begin, onBegin);
      ipcMain.removeListener(channels.toBroker, onMessage);
      end();
    },
  };
}
