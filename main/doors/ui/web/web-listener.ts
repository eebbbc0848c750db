import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { pageMessageLimitBytes } from '../../../contract/ui/messages.ts';
import { createSparingLog } from '../../../platform/logging/sparing-log.ts';
import type { LookUpPeer, PeerUser } from '../../../ports/peer-user.ts';
import { type PageConnection, type PageConnectionDeps, servePage } from './page-connection.ts';
import type { PageFiles } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';
import { judgeRequest, judgeUpgrade, type Refused } from './request-rules.ts';

const address = '127.0.0.1';
const requestMilliseconds = 5_000;
const connectionLimit = 64;
const pageLimit = 24;
/** The most pages that have not proved their secret yet. */
const unprovedLimit = 8;
const closingMilliseconds = 1_000;
/** Any page in the browser can cause a log line. */
const logged = { atOnce: 20, perSecond: 0.1 };

export interface WebListenerDeps extends Omit<PageConnectionDeps, 'host'> {
  files: PageFiles;
  lookUpPeer: LookUpPeer;
  /** 0: any free port. */
  port: number;
}

/** The server of the page on loopback. */
export interface WebListener {
  readonly port: number;
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** Closes each page with `code`; resolves when all have disconnected. */
  close(code: number): Promise<void>;
}

/** Rejects with Node’s error where the port isn’t available. */
export async function openWebListener(given: WebListenerDeps): Promise<WebListener> {
  const deps = { ...given, log: createSparingLog(given.log, given.clock, logged) };
  const users = new WeakMap<Duplex, Promise<PeerUser>>();
  const pages = new Set<PageConnection>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: pageMessageLimitBytes,
    perMessageDeflate: false,
  });
  let host = '';
  const server = createServer({
    requestTimeout: requestMilliseconds,
    headersTimeout: requestMilliseconds,
    keepAliveTimeout: requestMilliseconds,
    // Node checks every 30 s by default: silent connections would take all places for that long.
    connectionsCheckingInterval: 1_000,
    // Cookies don’t depend on the port: those of other servers on 127.0.0.1 are sent, too.
    maxHeaderSize: 64 * 1024,
  });
  server.maxConnections = connectionLimit;

  /** Another user of this machine gets no response, where the system tells whose connection it is. */
  server.on('connection', (socket: Socket) => {
    const user = deps.lookUpPeer(socket);
    users.set(socket, user);
    void user.then((whose) => whose === 'foreign' && socket.destroy());
  });
  const isForeign = async (socket: Duplex) => (await users.get(socket)) === 'foreign';

  server.on('request', (request, response) => {
    void isForeign(request.socket).then((foreign) => {
      if (!foreign) {
        answer(request, response, deps.files, host);
      }
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined);
    void isForeign(socket).then((foreign) => {
      const refused = foreign ? null : (judgeUpgrade(parts(request), host) ?? isFull(pages));
      if (foreign || socket.destroyed) {
        socket.destroy();
      } else if (refused) {
        deps.log.warn('ui.refused', { status: refused.status });
        socket.end(`HTTP/1.1 ${refused.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      } else {
        sockets.handleUpgrade(request, socket, head, (page) => {
          const connection = servePage(page, { ...deps, host });
          pages.add(connection);
          page.once('close', () => pages.delete(connection));
        });
      }
    });
  });

  await listen(server, deps.port);
  server.on('error', (error) => deps.log.warn('ui.server', { error }));
  const { port } = server.address() as AddressInfo;
  host = `${address}:${port}`;
  return {
    port,
    host,
    async close(code) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      for (const page of pages) {
        page.close(code);
      }
      const limit = deps.clock.after(closingMilliseconds, () => server.closeAllConnections());
      await closed;
      limit.dispose();
    },
  };
}

function isFull(pages: ReadonlySet<PageConnection>): Refused | null {
  const unproved = [...pages].filter((page) => page.session() === null);
  return pages.size >= pageLimit || unproved.length >= unprovedLimit
    ? { status: 503, text: 'too many pages' }
    : null;
}

function parts({ method, url = '', headers }: IncomingMessage) {
  return { method, path: url.split('?', 1)[0] ?? '', headers };
}

function answer(request: IncomingMessage, response: ServerResponse, files: PageFiles, host: string): void {
  const asked = parts(request);
  const refused = judgeRequest(asked, host);
  const file = refused ? undefined : files.get(asked.path);
  const headers = pageHeaders(host);
  if (!file) {
    const { status, text } = refused ?? { status: 404, text: 'nothing is here' };
    response.writeHead(status, {
      ...headers,
      'content-type': 'text/plain; charset=utf-8',
      connection: 'close',
    });
    response.end(request.method === 'HEAD' ? undefined : `${text}\n`);
    return;
  }
  response.writeHead(200, {
    ...headers,
    'content-type': file.type,
    'content-length': file.body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
