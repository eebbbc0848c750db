import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Disposable } from '../../base/disposables.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { LookUpPeer } from '../../ports/peer-user.ts';
import type { WindowFlow, WindowReply } from './window-flow.ts';
import type { WindowHost } from './window-host.ts';
import { endPage, windowHeaders } from './window-page.ts';
import { judgeWindowRequest, readFields } from './window-request.ts';
import { openWindowServer } from './window-server.ts';

/** How long a closed window still says so to anyone who answers in it. */
const lingerMilliseconds = 60_000;

export interface BrowserHostDeps {
  clock: Clock;
  log: Log;
  browser: { available(): boolean };
  /** Opens an address that no one else may read, and forgets it when `done`. */
  redirect: { open(address: string, done: Promise<unknown>): Promise<boolean> };
  lookUpPeer: LookUpPeer;
}

/** Windows in the user's browser: each on its own loopback port, at an address that no page learns. */
export function createBrowserHost(deps: BrowserHostDeps): WindowHost {
  const opened = new Set<Disposable>();
  return {
    available: () => deps.browser.available(),
    decidesAll: false,
    async show(flow) {
      const server = await openWindowServer(
        (request, response) => handle(request, response, { ...deps, flow, host: server.host }),
        deps.lookUpPeer,
      );
      let timer: Disposable | null = null;
      const stop: Disposable = {
        dispose() {
          timer?.dispose();
          server.dispose();
          opened.delete(stop);
        },
      };
      opened.add(stop);
      void flow.over.then(() => {
        if (opened.has(stop)) {
          timer = deps.clock.after(lingerMilliseconds, () => stop.dispose());
        }
      });
      if (await deps.redirect.open(`http://${server.host}${flow.path.reveal()}`, flow.reached)) {
        return true;
      }
      stop.dispose();
      return false;
    },
    dispose() {
      for (const each of [...opened]) {
        void each.dispose();
      }
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { flow, host, log }: { flow: WindowFlow; host: string; log: Log },
): Promise<void> {
  const { method, url: target = '', headers } = request;
  const judged = judgeWindowRequest({ method, target, headers }, { host, path: flow.path });
  if (judged.kind === 'refused') {
    log.warn('window.refused', { status: judged.status });
    const text = ['This is not the window that Lanyard opened.'];
    send(response, { status: judged.status, html: endPage('bad', 'Nothing is here', text) });
    return;
  }
  // A closed window reads nothing any more.
  const isRead = judged.kind === 'answer' && flow.end() === null;
  send(response, isRead ? await flow.answer(await readFields(request)) : flow.show());
}

function send(response: ServerResponse, { status, html }: WindowReply): void {
  response.writeHead(status, { ...windowHeaders(), connection: 'close' });
  response.end(html);
}
