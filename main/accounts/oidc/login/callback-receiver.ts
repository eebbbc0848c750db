import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Disposable } from '../../../base/disposables.ts';
import type { Secret } from '../../../base/secret.ts';
import { parseUrl } from '../../../contract/parse-url.ts';
import { type RedirectPlace, redirectAddress } from '../../../domain/login/redirect-address.ts';
import type { LookUpPeer, PeerUser } from '../../../ports/peer-user.ts';
import { type Callback, type ExpectedCallback, judgeCallback } from './callback-request.ts';
import { type Page, pageHeaders, slowPage, strangePage } from './end-page.ts';
import type { LateTabs } from './late-tabs.ts';
import { listenOnLoopback } from './loopback-listen.ts';

/** How long a browser is kept waiting for the end of the login, and how long the end page may take to it. */
const patienceMilliseconds = 30_000;
const deliveryMilliseconds = 2_000;

/** Waits at the redirect address for the provider's answer. Listens until it is disposed, or as `LateTabs` once finished. */
export interface CallbackReceiver extends Disposable {
  readonly redirectUri: string;
  /** The first answer with the login's state; those after it change nothing. */
  readonly callback: Promise<Callback>;
  /** The same from an address that the user copied from a browser elsewhere; false: it isn't this login's. */
  bring(address: Secret): boolean;
  /** Shows the end to the browser that brought the answer, and to tabs that come late. Never throws. */
  finish(page: Page): Promise<void>;
}

/** Listens at `place`; null where none of its ports can be had. */
export async function openCallbackReceiver(
  place: RedirectPlace,
  expected: Omit<ExpectedCallback, 'path' | 'host'>,
  lookUpPeer: LookUpPeer,
  lateTabs: LateTabs,
): Promise<CallbackReceiver | null> {
  await lateTabs.end();
  const { promise: callback, resolve } = Promise.withResolvers<Callback>();
  const waiting = new Set<ServerResponse>();
  let address: Pick<ExpectedCallback, 'path' | 'host'> | null = null;
  let end: Page | null = null;

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { method, url: target, headers } = request;
    const fetchMode = headers['sec-fetch-mode'];
    const judged = judgeCallback(
      {
        method,
        target,
        host: headers.host,
        origin: headers.origin,
        fetchMode: Array.isArray(fetchMode) ? fetchMode.join() : fetchMode,
      },
      { ...expected, path: address?.path ?? '', host: address?.host ?? '' },
    );
    switch (judged.kind) {
      case 'notHere':
        response.writeHead(404, pageHeaders).end();
        return;
      case 'notOurs':
        send(response, strangePage());
        return;
      case 'ours': {
        if (end) {
          void send(response, end);
          return;
        }
        waiting.add(response);
        const limit = setTimeout(() => send(response, slowPage()), patienceMilliseconds);
        response.once('close', () => {
          clearTimeout(limit);
          waiting.delete(response);
        });
        resolve(judged.callback);
      }
    }
  };

  const judging = new Set<Promise<void>>();
  const listener = await listenOnLoopback(place, () => createBoundedServer(handle, judging, lookUpPeer));
  if (!listener) {
    return null;
  }
  const redirectUri = redirectAddress(place, listener.host, listener.port);
  address = { path: place.path, host: new URL(redirectUri).host };

  return {
    redirectUri,
    callback,
    bring(text) {
      const brought = parseUrl(text.reveal().trim());
      if (brought === null) {
        return false;
      }
      const { host, pathname, search } = brought;
      const request = {
        method: 'GET',
        target: `${pathname}${search}`,
        host,
        origin: undefined,
        fetchMode: undefined,
      };
      const judged = judgeCallback(request, {
        ...expected,
        path: place.path,
        host: new URL(redirectUri).host,
      });
      if (judged.kind === 'ours') {
        resolve(judged.callback);
      }
      return judged.kind === 'ours';
    },
    async finish(page) {
      end = page;
      // A browser that has asked already gets the page too.
      await Promise.all(judging);
      const delivered = [...waiting].map((response) => send(response, page));
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        limit = setTimeout(resolve, deliveryMilliseconds);
      });
      await Promise.race([Promise.all(delivered), late]);
      clearTimeout(limit);
      await lateTabs.keep(listener);
    },
    dispose: () => (end ? undefined : listener.dispose()),
  };
}

/**
 * Any program of this machine, and any page in a browser, can connect: each gets little, and not for long. Another
 * user’s gets nothing, where the system names its user: they can read the state in the argv of the browser’s opener,
 * and could end the login with it, or send their own code.
 */
function createBoundedServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  judging: Set<Promise<void>>,
  lookUpPeer: LookUpPeer,
) {
  const users = new WeakMap<Socket, Promise<PeerUser>>();
  const server = createServer(
    {
      // Cookies know no ports: those of whatever else runs on localhost come along.
      maxHeaderSize: 64 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      const user = users.get(request.socket) ?? Promise.resolve<PeerUser>('unknown');
      const judged = user.then((whose) => {
        if (whose !== 'foreign') {
          handle(request, response);
        }
        judging.delete(judged);
      });
      judging.add(judged);
    },
  );
  server.maxConnections = 32;
  server.on('connection', (socket: Socket) => {
    const user = lookUpPeer(socket);
    users.set(socket, user);
    void user.then((whose) => whose === 'foreign' && socket.destroy());
  });
  return server;
}

/** Resolves when the page is on its way, or the browser gone. */
function send(response: ServerResponse, page: Page): Promise<void> {
  return new Promise((resolve) => {
    if (response.writableEnded || response.destroyed) {
      resolve();
      return;
    }
    response.once('close', resolve);
    response.writeHead(page.status, { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' });
    response.end(page.html, () => resolve());
  });
}
