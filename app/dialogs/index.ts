import type { Disposable } from '../../main/base/disposables.ts';
import type { WindowFlow, WindowReply } from '../../main/consent/windows/window-flow.ts';
import type { WindowHost } from '../../main/consent/windows/window-host.ts';
import { endPage, windowHeaders } from '../../main/consent/windows/window-page.ts';
import { readFields } from '../../main/consent/windows/window-request.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { AppWindow, ElectronModule } from '../electron.ts';
import type { AppFiles } from '../files.ts';
import { toFront } from '../in-front.ts';
import { dialogOrigin, dialogScheme } from '../scheme/dialog-scheme.ts';
import { dialogOptions, dialogPartition } from './dialog-options.ts';
import { judgeDialogRequest } from './dialog-request.ts';

/** How long a visible dialog shows why it ended. */
const lingerMilliseconds = 20_000;

export interface DialogsDeps {
  electron: Pick<ElectronModule, 'BrowserWindow' | 'app' | 'session'>;
  platform: NodeJS.Platform;
  files: Pick<AppFiles, 'windowIcon'>;
  clock: Clock;
  log: Log;
}

/**
 * Asks in windows of the main process what the renderer must not decide. The renderer can neither see nor answer them
 * (rule: approval-outside-page). Like all pages, theirs can't navigate and get no permissions (app/hardening).
 */
export function createDialogs({ electron, platform, files, clock, log }: DialogsDeps): WindowHost {
  const open = new Map<WindowFlow, AppWindow>();
  const partition = electron.session.fromPartition(dialogPartition);
  partition.protocol.handle(dialogScheme, (request) => serve(request));

  async function serve(request: Request): Promise<Response> {
    for (const flow of open.keys()) {
      const judged = judgeDialogRequest(request, flow.path);
      if (judged.kind === 'show' || (judged.kind === 'answer' && flow.end() !== null)) {
        return respond(flow.show());
      }
      if (judged.kind === 'answer') {
        return respond(await flow.answer(await readFields(request.body)));
      }
      if (judged.status !== 404) {
        return refused(judged.status);
      }
    }
    return refused(404);
  }

  function refused(status: number): Response {
    log.warn('window.refused', { status });
    const text = ['This is not the window that Lanyard opened.'];
    return respond({ status, html: endPage('bad', 'Nothing is here', text) });
  }

  async function show(flow: WindowFlow): Promise<boolean> {
    // One dialog at a time: closes a dialog that only shows how it ended.
    for (const [other, window] of open) {
      if (other.end() !== null) {
        window.destroy();
      }
    }
    const window = new electron.BrowserWindow({
      ...dialogOptions(flow.content),
      ...(files.windowIcon !== undefined && { icon: files.windowIcon }),
    });
    const address = `${dialogOrigin}${flow.path.reveal()}`;
    open.set(flow, window);
    window.removeMenu();
    window.once('closed', () => {
      open.delete(flow);
      // Closing the window is no answer: the request stays open.
      flow.leave('The window was closed');
    });
    window.webContents.on('render-process-gone', () => window.destroy());
    let isSeen = false;
    const reveal = () => {
      if (!isSeen && !window.isDestroyed()) {
        isSeen = true;
        window.show();
        toFront(electron, platform);
        flow.seen();
      }
    };
    window.once('ready-to-show', reveal);
    void flow.over.then(() => leaveScreen(flow, window, address));
    try {
      await window.loadURL(address);
    } catch (error) {
      log.error('window.load', { error: reasonOf(error) });
      window.destroy();
      return false;
    }
    reveal();
    return true;
  }

  /** Keeps a visible dialog for a moment: a click on it must not hit the window below. */
  function leaveScreen(flow: WindowFlow, window: AppWindow, address: string): void {
    const end = flow.end();
    if (!end || window.isDestroyed()) {
      return;
    }
    const isRead = end.kind === 'bad' || end.text.length > 1;
    if (end.isAnswered ? !isRead : !window.isFocused()) {
      window.destroy();
      return;
    }
    const timer: Disposable = clock.after(lingerMilliseconds, () => window.destroy());
    window.once('closed', () => timer.dispose());
    window.once('blur', () => window.destroy());
    if (!end.isAnswered) {
      window.loadURL(address).catch(() => window.destroy());
    }
  }

  return {
    available: () => true,
    decidesAll: true,
    show,
    dispose() {
      for (const window of [...open.values()]) {
        window.destroy();
      }
    },
  };
}

function respond({ status, html }: WindowReply): Response {
  // Of a status without a body the text may not be there at all.
  return new Response(html === '' ? null : html, {
    status,
    headers: windowHeaders(`'self' ${dialogScheme}:`),
  });
}

/** Chromium puts the address into its errors. It is a secret while the dialog is open. */
function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
