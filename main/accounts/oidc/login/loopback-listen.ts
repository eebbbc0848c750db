import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Disposable } from '../../../base/disposables.ts';
import type { RedirectPlace } from '../../../domain/login/redirect-address.ts';

/** Listening on loopback: on 127.0.0.1 and ::1 with one port, where both can be had. */
export interface LoopbackListener extends Disposable {
  /** The host of the redirect URI. */
  host: string;
  port: number;
}

type Tried = 'listens' | 'taken' | 'missing';

/** How often another free port is tried where the one that was got is taken on the other address. */
const freePortTries = 8;

/** Listens at the first port of `place` that can be had; null where all are taken. */
export async function listenOnLoopback(
  place: Pick<RedirectPlace, 'host' | 'ports'>,
  createServer: () => Server,
): Promise<LoopbackListener | null> {
  const ports = place.ports.length === 0 ? new Array<number>(freePortTries).fill(0) : place.ports;
  for (const port of ports) {
    const listener = await listenAt(place.host, port, createServer);
    if (listener) {
      return listener;
    }
  }
  return null;
}

async function listenAt(
  host: RedirectPlace['host'],
  port: number,
  createServer: () => Server,
): Promise<LoopbackListener | null> {
  const v4 = { address: '127.0.0.1', host: '127.0.0.1' };
  const v6 = { address: '::1', host: '[::1]' };
  const [first, second] = host === '[::1]' ? [v6, v4] : [v4, v6];
  const [one, other] = [createServer(), createServer()];
  const dispose = () => {
    one.close();
    other.close();
    one.closeAllConnections();
    other.closeAllConnections();
  };
  const tried = await listen(one, first.address, port);
  const onlySecond = tried === 'missing' && (host === null || host === 'localhost');
  if (tried !== 'listens' && !onlySecond) {
    return null;
  }
  const chosen = onlySecond ? port : portOf(one);
  const more = await listen(other, second.address, chosen);
  // A browser may take `localhost` for either: no other program may listen at the other one.
  if (onlySecond ? more !== 'listens' : host === 'localhost' && more === 'taken') {
    dispose();
    return null;
  }
  return {
    host: host ?? (onlySecond ? second.host : first.host),
    port: onlySecond ? portOf(other) : chosen,
    dispose,
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listen(server: Server, host: string, port: number): Promise<Tried> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') {
        resolve('taken');
      } else if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') {
        resolve('missing');
      } else {
        reject(error);
      }
    };
    server.once('error', onError);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', onError);
      // No one can act on a later error of a listening socket: the login runs out.
      server.on('error', () => undefined);
      resolve('listens');
    });
  });
}
