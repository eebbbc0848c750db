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

/** A new document gets the complete state. The allowance counts it as this many bytes. */
const beginningBytes = 1024 * 1024;

export interface PageIpcDeps {
  ipcMain: ElectronModule['ipcMain'];
  contents: AppContents;
  door: Pick<UiDoor, 'connect'>;
  clock: Clock;
  log: Log;
  /** Called with each message of the broker to the page. */
  said?(message: BrokerMessage): void;
  /** The page sent invalid messages, or too many. Ignores it until the next document. */
  refused(): void;
}

/**
 * Carries the messages of one window's page. Each document gets its own session at the broker. Accepts messages only
 * from the window's own main frame, with the app's own document in it.
 */
export function createPageIpc(deps: PageIpcDeps): Disposable {
  const { ipcMain, contents, door, clock, log } = deps;
  // Of the window, not the document: a reload doesn't give a rejected document a new allowance.
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
      // Another window's frame: its own listener handles it.
      return false;
    }
    // A frame that no longer exists is null.
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
  // Not when a navigation starts: a refused one starts as well, and the document stays. The session ends when the next
  // document starts to listen. Until then, messages find no listener there (app/preload).
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
