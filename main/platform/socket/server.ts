import type { Socket } from 'node:net';
import type { Disposable } from '../../base/disposables.ts';
import { unfinishedLimitBytes } from '../../contract/frames.ts';
import type { Caller } from '../../ports/caller.ts';
import type { PeerIdentity } from '../../ports/peer-identity.ts';
import { createSparingLog } from '../logging/sparing-log.ts';
import { ancestorsOf, createCallerLookup, lineageOf, processOf } from './caller-lookup.ts';
import { type ConnectionDeps, serveConnection } from './connection.ts';
import { descriptorOf } from './descriptor.ts';
import { createFrameBudget, type FrameBudget } from './frame-budget.ts';
import { createHelloMemory } from './hello-memory.ts';
import type { Listener } from './listener.ts';

/** Any program that reaches the socket can bring about a line. */
const logged = { atOnce: 100, perSecond: 1 };

export interface SocketServerDeps
  extends Omit<
    ConnectionDeps,
    'readHello' | 'callerOf' | 'lineageOf' | 'ancestorsOf' | 'processOf' | 'budget' | 'helperIsGone'
  > {
  /** What unfinished frames may take; the contract's limit unless told otherwise. */
  budget?: FrameBudget;
  identity: PeerIdentity;
  listener: Listener;
}

/**
 * Serves the home's local socket. A connection of another user is closed before anything is read from it
 * (rule: owner-only).
 * Ends all connections when disposed.
 */
export async function serve(deps: SocketServerDeps): Promise<Disposable> {
  const open = new Set<Disposable>();
  const log = createSparingLog(deps.log, deps.clock, logged);
  const connectionDeps = {
    ...deps,
    budget: deps.budget ?? createFrameBudget(unfinishedLimitBytes),
    log,
    readHello: createHelloMemory(),
    helperIsGone: new Error('the helper is gone'),
    callerOf: createCallerLookup(deps.identity),
    lineageOf: (caller: Caller) => lineageOf(caller, deps.identity),
    ancestorsOf: (caller: Caller) => ancestorsOf(caller, deps.identity),
    processOf: (pid: number) => processOf(pid, deps.identity),
  };
  const listening = await deps.listener((socket) => {
    const peer = identify(socket, { ...deps, log });
    if (!peer) {
      socket.destroy();
      return;
    }
    const connection = serveConnection(socket, peer, connectionDeps);
    open.add(connection);
    socket.once('close', () => open.delete(connection));
    socket.resume();
  });
  return {
    dispose: async () => {
      const ended = listening.dispose();
      for (const connection of open) {
        await connection.dispose();
      }
      await ended;
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
