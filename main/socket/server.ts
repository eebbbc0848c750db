import { chmod, unlink } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { Disposable } from '../base/disposables.ts';
import { BrokerError } from '../contract/broker-error.ts';
import type { PeerIdentity } from '../ports/peer-identity.ts';
import { createCallerLookup } from './caller-lookup.ts';
import { type ConnectionDeps, serveConnection } from './connection.ts';

/** More connections than this wait in the kernel's queue or are closed: a flood can't take the memory. */
const connectionLimit = 1024;

export interface SocketServerDeps extends Omit<ConnectionDeps, 'callerOf'> {
  identity: PeerIdentity;
  /** Where to listen. The caller holds the home's lock: what lies there is a dead broker's. */
  path: string;
}

/**
 * Listens on the home's local socket. A connection of another user is closed before anything is read from it.
 * Ends all connections when disposed.
 */
export async function listen(deps: SocketServerDeps): Promise<Disposable> {
  const open = new Set<Disposable>();
  const connectionDeps = { ...deps, callerOf: createCallerLookup(deps.identity) };
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
    const peer = identify(socket, deps);
    if (!peer) {
      socket.destroy();
      return;
    }
    const connection = serveConnection(socket, peer, connectionDeps);
    open.add(connection);
    socket.once('close', () => open.delete(connection));
    socket.resume();
  });
  server.maxConnections = connectionLimit;
  await unlink(deps.path).catch(ignoreMissing);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new BrokerError('socket.listen', `can't listen at ${deps.path}`, { cause })),
    );
    // The backlog takes a burst of helpers that start together; the system's default of 511 is cut to its limit.
    server.listen({ path: deps.path, backlog: 4096 }, () => resolve());
  });
  await chmod(deps.path, 0o600);
  return {
    dispose: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of open) {
        await connection.dispose();
      }
      await closed;
      await unlink(deps.path).catch(ignoreMissing);
    },
  };
}

/** The peer by the operating system's word; null, and a line in the log, where it isn't this user. */
function identify(socket: Socket, deps: SocketServerDeps): { uid: number; pid: number } | null {
  try {
    const peer = deps.identity.peer(descriptorOf(socket));
    if (peer.uid === deps.identity.ownUid()) {
      return peer;
    }
    deps.log.warn('connection.refused', { why: 'another user', uid: peer.uid, pid: peer.pid });
  } catch (error) {
    deps.log.warn('connection.refused', { why: 'the peer is unknown', error });
  }
  return null;
}

/** Node has no public way to a socket's descriptor; the addon needs it to ask the system for the peer. */
function descriptorOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const descriptor: unknown = handle && typeof handle === 'object' ? Reflect.get(handle, 'fd') : undefined;
  if (typeof descriptor !== 'number' || descriptor < 0) {
    throw new BrokerError('socket.descriptor', 'the connection has no descriptor any more');
  }
  return descriptor;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}
