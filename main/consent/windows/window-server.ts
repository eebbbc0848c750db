import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Disposable } from '../../base/disposables.ts';
import type { LookUpPeer, PeerUser } from '../../ports/peer-user.ts';

const address = '127.0.0.1';
const requestMilliseconds = 10_000;
const connectionLimit = 16;

/** A listener on a free port of 127.0.0.1 for one window. */
export interface WindowServer extends Disposable {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
}

/**
 * Any program of this machine, and any page in a browser, can connect: each gets little, and not for long. Another user's
 * gets nothing where the system tells whose it is.
 */
export async function openWindowServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  lookUpPeer: LookUpPeer,
): Promise<WindowServer> {
  const users = new WeakMap<Socket, Promise<PeerUser>>();
  const server = createServer(
    {
      requestTimeout: requestMilliseconds,
      headersTimeout: requestMilliseconds,
      connectionsCheckingInterval: 1_000,
      // Cookies ignore ports: those of other programs on 127.0.0.1 are sent along.
      maxHeaderSize: 64 * 1024,
    },
    (request, response) => {
      void (users.get(request.socket) ?? Promise.resolve('foreign')).then(async (whose) => {
        if (whose === 'foreign') {
          request.socket.destroy();
        } else {
          await handle(request, response).catch(() => request.socket.destroy());
        }
      });
    },
  );
  server.maxConnections = connectionLimit;
  server.on('connection', (socket: Socket) => {
    const user = lookUpPeer(socket);
    users.set(socket, user);
    void user.then((whose) => whose === 'foreign' && socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port: 0, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', () => undefined);
  return {
    host: `${address}:${(server.address() as AddressInfo).port}`,
    dispose() {
      server.close();
      server.closeAllConnections();
    },
  };
}
