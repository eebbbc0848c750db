import type { Disposable } from '../../main/base/disposables.ts';
import type { WindowFlow, WindowReply } from '../../main/consent/windows/window-flow.ts';
import type { WindowHost } from '../../main/consent/windows/window-host.ts';
import { endPage, windowHeaders } from '../../main/consent/windows/window-page.ts';
import { readFields } from '../../main/consent/windows/window-request.ts';
import type { Clock } from '../../main/ports/clock.ts';
import type { Log } from '../../main/ports/log.ts';
import type { AppWindow, ElectronModule } from '../electron.ts';
import { toFront } from '../in-front.ts';
import { dialogOrigin, dialogScheme } from '../scheme/dialog-scheme.ts';
import { dialogOptions, dialogPartition } from './dialog-options.ts';
import { judgeDialogRequest } from './dialog-request.ts';

/** How long a dialog that ended while it was visible says why. */
const lingerMilliseconds = 20_000;

export interface DialogsDeps {
  electron: Pick<ElectronModule, 'BrowserWindow' | 'app' | 'session'>;
  platform: NodeJS.Platform;
  clock: Clock;
  log: Log;
}

/**
 * What the renderer must not decide is asked in windows of the main process: it can neither see nor answer them
 * (rule: approval-outside-page). That their page goes nowhere else and gets no permissions holds for all pages
 * (app/hardening).
 */
export function createDialogs({ electron, platform, clock, log }: DialogsDeps): WindowHost {
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
    // One dialog at a time: what still says how it ended makes room.
    for (const [other, window] of open) {
      if (other.end() !== null) {
        window.destroy();
      }
    }
    const window = new electron.BrowserWindow(dialogOptions(flow.content));
    const address = `${dialogOrigin}${flow.path.reveal()}`;
    open.set(flow, window);
    window.removeMenu();
    window.once('closed', () => {
      open.delete(flow);
      // Closing says nothing: what was asked is still asked.
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

  /** A visible dialog doesn't just vanish: a click on it would go to what lies below. */
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
  return new Response(html, { status, headers: windowHeaders(`'self' ${dialogScheme}:`) });
}

/** Chromium names the address in its errors, which is a secret while the dialog is open. */
function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
